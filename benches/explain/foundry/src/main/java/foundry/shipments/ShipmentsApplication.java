package foundry.shipments;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Shipments to customers, line by line. */
@SpringBootApplication(
        exclude = {
            JettyServletWebServerAutoConfiguration.class,
            HibernateJpaAutoConfiguration.class,
            DataJpaRepositoriesAutoConfiguration.class
        })
public class ShipmentsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ShipmentsApplication.class, arguments);
    }
}
