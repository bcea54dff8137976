package dairy.tankers;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

/** Healthy: routes of the tankers, by RestTemplate, with a connection for each call where keep-alive is off. */
@SpringBootApplication
@RestController
public class TankersApplication {
    private final RestTemplate maps = new RestTemplate();
    private final String address;

    TankersApplication(@Value("${upstream}") String address) {
        this.address = address;
    }

    @GetMapping("/")
    String route() {
        return "route of " + maps.getForObject(address, String.class).length() + " farms";
    }

    public static void main(String[] arguments) {
        SpringApplication.run(TankersApplication.class, arguments);
    }
}
