package garage.fleet;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Inspections that the vehicles of a fleet are due for, by the register of the state. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class FleetApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(FleetApplication.class, arguments);
    }
}
