package dairy.feed;

import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

/** Orders of feed, by RestTemplate on the JDK's client; limited by the supplier, which serves few at a time. */
@SpringBootApplication
@RestController
public class FeedApplication {
    private final RestTemplate supplier = new RestTemplate(new JdkClientHttpRequestFactory());
    private final String address;

    FeedApplication(@Value("${upstream}") String address) {
        this.address = address;
    }

    @GetMapping("/")
    String order() {
        var order = Map.of("feed", "hay", "bales", 12);
        return "ordered " + supplier.postForObject(address, order, String.class).length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(FeedApplication.class, arguments);
    }
}
