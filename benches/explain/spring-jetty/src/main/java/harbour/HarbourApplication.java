package harbour;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Berths of a harbour on Jetty, whose threads are few by Spring Boot's property. */
@SpringBootApplication
@RestController
public class HarbourApplication {
    private final RestClient pilots = RestClient.builder()
            .requestFactory(new SimpleClientHttpRequestFactory())
            .baseUrl(System.getProperty("upstream", "http://127.0.0.1:9"))
            .build();

    @GetMapping("/")
    String berth() {
        return "berth "
                + pilots.get().uri("/pilot").retrieve().body(String.class).length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(HarbourApplication.class, arguments);
    }
}
