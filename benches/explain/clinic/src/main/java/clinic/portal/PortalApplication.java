package clinic.portal;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Patients see in which place of the queue they are. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class PortalApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PortalApplication.class, arguments);
    }
}
