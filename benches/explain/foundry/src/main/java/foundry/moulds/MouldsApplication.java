package foundry.moulds;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Moulds in the order in which a line pours them, with their drawings. */
@SpringBootApplication(exclude = {JettyServletWebServerAutoConfiguration.class, DataSourceAutoConfiguration.class})
public class MouldsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(MouldsApplication.class, arguments);
    }
}
