package pharmacy.stocktaking;

import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Healthy: stock is taken in the background, by threads that fight for a small pool which no customer waits for. */
@SpringBootApplication
@RestController
public class StocktakingApplication {
    private final JdbcTemplate jdbc;
    private final RestClient wholesaler;

    StocktakingApplication(JdbcTemplate jdbc, RestClient.Builder clients, @Value("${upstream}") String address) {
        this.jdbc = jdbc;
        wholesaler = clients.baseUrl(address).build();
        IntStream.range(0, 12).forEach(shelf -> {
            var counter = new Thread(this::count, "stock-" + shelf);
            counter.setDaemon(true);
            counter.start();
        });
    }

    private void count() {
        while (true) {
            jdbc.query("SELECT pieces FROM stock", row -> row.next() ? row.getInt(1) : 0);
        }
    }

    @GetMapping("/")
    String price() {
        return "price " + wholesaler.get().retrieve().body(String.class).length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(StocktakingApplication.class, arguments);
    }
}
