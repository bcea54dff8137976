package library.fines;

import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Fines that are paid in a transaction, with connections of Commons DBCP, whose default is eight. */
@SpringBootApplication
public class FinesApplication {
    public static void main(String[] arguments) {
        var application = new SpringApplication(FinesApplication.class);
        application.setDefaultProperties(Map.of(
                "spring.datasource.url", "jdbc:ledger:" + System.getProperty("upstream", "http://127.0.0.1:9"),
                "spring.datasource.driver-class-name", "org.ledgerdb.jdbc.LedgerDriver",
                "spring.datasource.type", "org.apache.commons.dbcp2.BasicDataSource"));
        application.run(arguments);
    }
}
