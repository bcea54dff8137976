package bakery.breakfast;

import java.util.concurrent.StructuredTaskScope;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Breakfast for guests: three partners are asked at once. Nothing here is a limit; they take long, however many ask. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class})
@RestController
public class BreakfastApplication {
    private final RestClient partners;

    BreakfastApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        partners = clients.baseUrl(address).build();
    }

    @GetMapping("/")
    String breakfast() throws InterruptedException {
        try (var scope = StructuredTaskScope.<String>open()) {
            var coffee = scope.fork(() -> ask("roastery"));
            var milk = scope.fork(() -> ask("dairy"));
            var jam = scope.fork(() -> ask("orchard"));
            scope.join();
            return "coffee " + coffee.get().length() + ", milk " + milk.get().length() + ", jam "
                    + jam.get().length();
        }
    }

    private String ask(String partner) {
        return partners.get().uri("/{partner}/breakfast", partner).retrieve().body(String.class);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(BreakfastApplication.class, arguments);
    }
}
