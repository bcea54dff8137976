package dairy.portal;

import com.google.common.util.concurrent.RateLimiter;
import jakarta.servlet.Filter;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

/** Farmers' portal, on virtual threads; limited by Guava's rate limiter, at which a filter has each request wait. */
@SpringBootApplication
@RestController
public class PortalApplication {
    private final RestTemplate accounts = new RestTemplate();
    private final String address;

    PortalApplication(@Value("${upstream}") String address) {
        this.address = address;
    }

    @Bean
    Filter fairShare(@Value("${portal.requests-per-second:50}") double most) {
        var limiter = RateLimiter.create(most);
        return (request, response, chain) -> {
            limiter.acquire();
            chain.doFilter(request, response);
        };
    }

    @GetMapping("/")
    String balance() {
        return "balance " + accounts.getForObject(address, String.class).length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(PortalApplication.class, arguments);
    }
}
