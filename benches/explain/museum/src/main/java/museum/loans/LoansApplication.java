package museum.loans;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Loans from other museums, and who looked at them. */
@SpringBootApplication
public class LoansApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(LoansApplication.class, arguments);
    }
}
