package airport.customs;

import airport.Partner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Customs on virtual threads, which ask an office that works on few declarations at once: the others wait there. */
@SpringBootApplication
@RestController
public class CustomsApplication {
    private final Office office = Partner.by(Office.class);

    @GetMapping("/")
    String declare() {
        return "declared " + office.declare("perfume").length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(CustomsApplication.class, arguments);
    }
}
