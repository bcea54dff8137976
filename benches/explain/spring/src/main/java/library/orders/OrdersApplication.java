package library.orders;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Orders of books, in a database that is some milliseconds away; HikariCP has a connection for everybody. */
@SpringBootApplication
public class OrdersApplication {
    public static void main(String[] arguments) {
        var application = new SpringApplication(OrdersApplication.class);
        application.setDefaultProperties(Map.of(
                "spring.datasource.url", "jdbc:ledger:" + System.getProperty("upstream", "http://127.0.0.1:9"),
                "spring.datasource.driver-class-name", "org.ledgerdb.jdbc.LedgerDriver",
                "spring.datasource.hikari.maximum-pool-size", "100"));
        application.run(arguments);
    }
}
