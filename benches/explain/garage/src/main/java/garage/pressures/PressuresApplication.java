package garage.pressures;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;

/** Pressures of tyres as they warm up on a journey, worked out step by step. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class PressuresApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PressuresApplication.class, arguments);
    }
}
