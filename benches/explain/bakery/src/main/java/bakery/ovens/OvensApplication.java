package bakery.ovens;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** How hot an oven is, asked of its controller; limited by the few questions at once that one allows itself. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, TomcatServletWebServerAutoConfiguration.class})
@EnableResilientMethods
@RestController
public class OvensApplication {
    private final OvenControl control;

    OvensApplication(OvenControl control) {
        this.control = control;
    }

    @GetMapping("/ovens/{oven}")
    String oven(@PathVariable int oven) {
        return "oven " + oven + " has " + control.temperature(oven) + " °C";
    }

    public static void main(String[] arguments) {
        SpringApplication.run(OvensApplication.class, arguments);
    }
}
