package aquarium.otters;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Sightings of otters; limited by the one carrier, which the comparison of frames has most of the time. */
@SpringBootApplication
@RestController
public class OttersApplication {
    private final RestClient keepers;

    OttersApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        keepers = clients.baseUrl(address).build();
    }

    @GetMapping("/")
    String sighting() {
        var names = keepers.get().uri("/otters/names").retrieve().body(String.class);
        return "otter " + names.length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(OttersApplication.class, arguments);
    }
}
