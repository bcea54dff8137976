package clinic.dosages;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** How much of a drug is in the blood at the end of a week. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class DosagesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DosagesApplication.class, arguments);
    }
}
