package garage.drives;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Test drives that can be booked, by the calendars of the salesmen. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class DrivesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DrivesApplication.class, arguments);
    }
}
