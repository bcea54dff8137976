package clinic.checkins;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Patients check in at the door. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class CheckinsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CheckinsApplication.class, arguments);
    }
}
