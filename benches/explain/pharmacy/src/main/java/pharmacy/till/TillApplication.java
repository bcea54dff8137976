package pharmacy.till;

import java.util.concurrent.atomic.AtomicLong;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Receipts of the till, signed by the tax office; limited by the connections Tomcat accepts, not by its threads. */
@SpringBootApplication
@RestController
public class TillApplication {
    private final AtomicLong receipts = new AtomicLong();
    private final RestClient office;

    TillApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        office = clients.baseUrl(address).build();
    }

    @GetMapping("/")
    String sign() {
        var signature = office.get()
                .uri("/receipts/{receipt}", receipts.incrementAndGet())
                .retrieve()
                .body(String.class);
        return "signed " + signature.hashCode();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(TillApplication.class, arguments);
    }
}
