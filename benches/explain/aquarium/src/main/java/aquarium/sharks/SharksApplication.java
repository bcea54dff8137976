package aquarium.sharks;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Tours through the shark tunnel, for scanners that connect each time; limited by Tomcat's short listen queue. */
@SpringBootApplication
@RestController
public class SharksApplication {
    private final RestClient calendar;

    SharksApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        calendar = clients.baseUrl(address).build();
    }

    @GetMapping("/")
    String nextTour() {
        var tours = calendar.get().uri("/tours/today").retrieve().body(String.class);
        return "next tour in " + tours.length() % 60 + " min";
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SharksApplication.class, arguments);
    }
}
