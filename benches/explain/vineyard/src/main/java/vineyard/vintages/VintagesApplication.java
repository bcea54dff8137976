package vineyard.vintages;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Notes of the cellar masters on each vintage, out of the estate's database. */
@SpringBootApplication
public class VintagesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(VintagesApplication.class, arguments);
    }
}
