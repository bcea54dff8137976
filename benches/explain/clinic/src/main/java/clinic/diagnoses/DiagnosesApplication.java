package clinic.diagnoses;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Codes of diagnoses, by the register of the state. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class DiagnosesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(DiagnosesApplication.class, arguments);
    }
}
