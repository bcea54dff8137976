package garage.appointments;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Free appointments, behind a proxy that says whom it asks for. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class AppointmentsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(AppointmentsApplication.class, arguments);
    }
}
