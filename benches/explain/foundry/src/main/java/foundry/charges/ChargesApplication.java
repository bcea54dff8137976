package foundry.charges;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;

/** Charges for a furnace: how much of each kind of scrap makes the alloy that is wanted. */
@SpringBootApplication(exclude = {TomcatServletWebServerAutoConfiguration.class, DataSourceAutoConfiguration.class})
public class ChargesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ChargesApplication.class, arguments);
    }
}
