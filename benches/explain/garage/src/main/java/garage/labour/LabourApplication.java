package garage.labour;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Time and parts that a job takes, by the maker of the car. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class LabourApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(LabourApplication.class, arguments);
    }
}
