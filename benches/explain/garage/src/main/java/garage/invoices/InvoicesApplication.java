package garage.invoices;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Invoices of a chain of workshops, each of which has a database of its own. */
@SpringBootApplication
public class InvoicesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(InvoicesApplication.class, arguments);
    }
}
