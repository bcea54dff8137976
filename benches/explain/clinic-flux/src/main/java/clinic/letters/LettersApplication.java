package clinic.letters;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Letters of the hospitals to the doctor who referred a patient. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class LettersApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(LettersApplication.class, arguments);
    }
}
