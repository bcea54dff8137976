package windmill.orders;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Orders for flour, which are entered into a ledger whose client is of older days and blocks. */
@SpringBootApplication
public class OrdersApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(OrdersApplication.class, arguments);
    }
}
