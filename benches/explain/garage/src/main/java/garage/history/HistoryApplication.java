package garage.history;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Everything that was done to a car, as a file that is passed on while the archive sends it. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class HistoryApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(HistoryApplication.class, arguments);
    }
}
