package bakery.shifts;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Healthy: who bakes today. Tasks of a schedule wait for a monitor all the time, requests see what they have left. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class})
@EnableScheduling
@RestController
public class ShiftsApplication {
    private final TimeClock clock;
    private final RestClient calendar;

    ShiftsApplication(TimeClock clock, RestClient.Builder clients, @Value("${upstream}") String address) {
        this.clock = clock;
        calendar = clients.baseUrl(address).build();
    }

    @GetMapping("/")
    String shift() {
        var shift = calendar.get().uri("/shifts/today").retrieve().body(String.class);
        return "shift " + shift.length() + ", " + clock.lastStamp();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ShiftsApplication.class, arguments);
    }
}
