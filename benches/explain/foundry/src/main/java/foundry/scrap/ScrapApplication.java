package foundry.scrap;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;

/** Lots of scrap that dealers offer, with the metal that is in them. */
@SpringBootApplication(exclude = {TomcatServletWebServerAutoConfiguration.class, DataSourceAutoConfiguration.class})
public class ScrapApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ScrapApplication.class, arguments);
    }
}
