package shop.promotions;

import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Promotions, whose rules are classes that the head office exchanges, on virtual threads. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@RestController
public class PromotionsApplication {
    private static final boolean BY_NAME = Boolean.parseBoolean(System.getProperty("promotions.by-name", "true"));
    private static final String RULE = "shop.promotions.Discount";

    @GetMapping("/")
    String price() throws ReflectiveOperationException {
        var rules = new Rules();
        var rule = BY_NAME ? Class.forName(RULE, true, rules) : rules.loadClass(RULE);
        var discount = (DoubleUnaryOperator) rule.getConstructor().newInstance();
        return "price " + discount.applyAsDouble(20);
    }

    public static void main(String[] arguments) {
        var application = new SpringApplication(PromotionsApplication.class);
        application.setDefaultProperties(Map.of("spring.threads.virtual.enabled", true));
        application.run(arguments);
    }
}
