package garage.estimates;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Estimates for a repair, by the hours that the trade allows for its jobs. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class EstimatesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(EstimatesApplication.class, arguments);
    }
}
