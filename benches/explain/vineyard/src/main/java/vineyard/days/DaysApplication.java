package vineyard.days;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Days on which pickers may come, with a trail of who asked, as far as the trail's keeper can follow. */
@SpringBootApplication
public class DaysApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DaysApplication.class, arguments);
    }
}
