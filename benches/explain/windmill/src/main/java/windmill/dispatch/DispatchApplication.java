package windmill.dispatch;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Sacks that leave the mill by the hoist, which carriers are told of one after the other, as they asked for. */
@SpringBootApplication
public class DispatchApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DispatchApplication.class, arguments);
    }
}
