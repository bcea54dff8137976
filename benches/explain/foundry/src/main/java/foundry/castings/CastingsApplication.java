package foundry.castings;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Castings that have passed their inspection and may leave the hall. */
@SpringBootApplication(
        exclude = {
            JettyServletWebServerAutoConfiguration.class,
            HibernateJpaAutoConfiguration.class,
            DataJpaRepositoriesAutoConfiguration.class
        })
public class CastingsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CastingsApplication.class, arguments);
    }
}
