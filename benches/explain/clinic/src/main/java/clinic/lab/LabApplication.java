package clinic.lab;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Orders to the laboratories outside. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class LabApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(LabApplication.class, arguments);
    }
}
