package library.loans;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Loans, each of which an aspect writes to the audit trail. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class LoansApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(LoansApplication.class, arguments);
    }
}
