package clinic.vaccines;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Invitations to those who are not vaccinated yet. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class VaccinesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(VaccinesApplication.class, arguments);
    }
}
