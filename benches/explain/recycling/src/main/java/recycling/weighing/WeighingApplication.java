package recycling.weighing;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Tickets of the weighbridge, from a database that has been there for longer than the service. */
@SpringBootApplication
public class WeighingApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(WeighingApplication.class, arguments);
    }
}
