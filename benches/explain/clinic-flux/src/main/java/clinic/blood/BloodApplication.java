package clinic.blood;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Blood of each group that is in stock. */
@SpringBootApplication
public class BloodApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(BloodApplication.class, arguments);
    }
}
