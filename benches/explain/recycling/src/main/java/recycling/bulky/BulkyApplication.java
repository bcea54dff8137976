package recycling.bulky;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Orders for bulky waste, by the haulier's old library. */
@SpringBootApplication
public class BulkyApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(BulkyApplication.class, arguments);
    }
}
