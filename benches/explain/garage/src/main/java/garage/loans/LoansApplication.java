package garage.loans;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Cars that customers borrow while theirs is in the workshop. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class LoansApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(LoansApplication.class, arguments);
    }
}
