package vets.feeding;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Plans for feeding: the cheapest mixture that has all an animal needs. */
@SpringBootApplication(exclude = TomcatServletWebServerAutoConfiguration.class)
@RestController
public class FeedingApplication {
    private final Mixtures mixtures;

    FeedingApplication(Mixtures mixtures) {
        this.mixtures = mixtures;
    }

    @GetMapping("/plans")
    Mixtures.Plan plan(@RequestParam(defaultValue = "30") int kilograms) {
        return mixtures.cheapest(kilograms * 22, kilograms * 4, kilograms * 2);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(FeedingApplication.class, arguments);
    }
}
