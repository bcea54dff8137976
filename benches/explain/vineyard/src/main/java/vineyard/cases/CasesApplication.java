package vineyard.cases;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Contents of a case of wine, bottle by bottle, out of the estate's database. */
@SpringBootApplication
public class CasesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CasesApplication.class, arguments);
    }
}
