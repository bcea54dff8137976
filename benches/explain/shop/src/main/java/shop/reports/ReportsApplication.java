package shop.reports;

import java.util.concurrent.Callable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import shop.Supplier;

/** Reports of sales, which take their time and are therefore left to Spring MVC's threads for callables. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@RestController
public class ReportsApplication {
    @GetMapping("/")
    Callable<String> sales() {
        return () -> "sales " + Supplier.ask("/sales").length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ReportsApplication.class, arguments);
    }
}
