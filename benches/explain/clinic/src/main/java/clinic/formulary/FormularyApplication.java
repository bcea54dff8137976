package clinic.formulary;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Prices of drugs, by the list of the wholesalers. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class FormularyApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(FormularyApplication.class, arguments);
    }
}
