package clinic.visitors;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Badges for those who visit a patient. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class VisitorsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(VisitorsApplication.class, arguments);
    }
}
