package garage.recalls;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Recalls that a car is subject to, by the maker. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class RecallsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RecallsApplication.class, arguments);
    }
}
