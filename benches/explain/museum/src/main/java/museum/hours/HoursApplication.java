package museum.hours;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Opening hours, which the town's calendar sets. */
@SpringBootApplication
public class HoursApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(HoursApplication.class, arguments);
    }
}
