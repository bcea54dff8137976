package ski.gondola;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Rides in the gondola, booked on virtual threads; limited by a rate limiter in the client of the valley's system. */
@SpringBootApplication
@RestController
public class GondolaApplication {
    private final RestClient valley;

    GondolaApplication(
            RestClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${gondola.per-second:40}") int perSecond) {
        valley = clients.baseUrl(address)
                .requestInterceptor(new PartnerLimit(perSecond))
                .build();
    }

    @GetMapping("/")
    String book() {
        return "cabin "
                + valley.get().uri("/rides").retrieve().body(String.class).length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(GondolaApplication.class, arguments);
    }
}
