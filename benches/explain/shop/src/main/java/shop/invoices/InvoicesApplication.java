package shop.invoices;

import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import shop.Supplier;

/** Invoices, each with the next number, which counts once the tax office has registered it. */
@SpringBootApplication
public class InvoicesApplication {
    private static final int BRANCHES = Integer.getInteger("invoices.branches", 1);

    @Service
    static class Invoices {
        private final Books books;

        Invoices(Books books) {
            this.books = books;
        }

        @Transactional
        public String issue(int branch) {
            var number = books.findByBranch(branch).next();
            return "invoice " + number + " " + Supplier.ask("/register").length();
        }
    }

    @RestController
    static class Page {
        private final Invoices invoices;

        Page(Invoices invoices) {
            this.invoices = invoices;
        }

        @GetMapping("/")
        String issue() {
            return invoices.issue(ThreadLocalRandom.current().nextInt(BRANCHES));
        }
    }

    @Bean
    ApplicationRunner open(Books books) {
        return arguments -> {
            for (int branch = 0; branch < BRANCHES; branch++) {
                books.save(new Book(branch));
            }
        };
    }

    public static void main(String[] arguments) {
        var application = new SpringApplication(InvoicesApplication.class);
        application.setDefaultProperties(Map.of(
                "spring.datasource.url",
                "jdbc:h2:mem:invoices;DB_CLOSE_DELAY=-1;LOCK_TIMEOUT=20000",
                "spring.datasource.hikari.maximum-pool-size",
                80,
                "spring.jpa.open-in-view",
                false));
        application.run(arguments);
    }
}
