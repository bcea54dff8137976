package orchard.register;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Register of trees: a Mutex keeps numbers apart, and is held while the association is asked for the next one. */
@SpringBootApplication
public class RegisterApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RegisterApplication.class, arguments);
    }
}
