package airport.night;

import airport.Partner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Healthy: permits for flights at night, while three scheduled tasks share one thread and are late for ever. */
@SpringBootApplication
@EnableScheduling
@RestController
public class NightApplication {
    private final Authority authority = Partner.by(Authority.class);

    @GetMapping("/")
    String permit() {
        return "permit " + authority.permit().length();
    }

    @Scheduled(fixedRate = 100)
    void measureNoise() throws InterruptedException {
        Thread.sleep(150);
    }

    @Scheduled(fixedRate = 100)
    void reportNoise() {
        authority.permit();
    }

    @Scheduled(fixedRate = 100)
    void tidyUp() throws InterruptedException {
        Thread.sleep(200);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(NightApplication.class, arguments);
    }
}
