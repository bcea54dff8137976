package clinic.cards;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Whether a visitor is insured, by the number of the card. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class CardsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CardsApplication.class, arguments);
    }
}
