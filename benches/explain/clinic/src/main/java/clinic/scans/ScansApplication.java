package clinic.scans;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Scans from the archive of the radiologists. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class ScansApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ScansApplication.class, arguments);
    }
}
