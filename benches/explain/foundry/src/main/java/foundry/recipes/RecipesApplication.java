package foundry.recipes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Recipes of alloys, as the laboratory has set them. */
@SpringBootApplication(exclude = {JettyServletWebServerAutoConfiguration.class, DataSourceAutoConfiguration.class})
public class RecipesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RecipesApplication.class, arguments);
    }
}
