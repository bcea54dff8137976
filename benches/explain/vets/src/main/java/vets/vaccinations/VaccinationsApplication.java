package vets.vaccinations;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;

/** Vaccinations that an animal has had, from the practice's records; reports go by a database pool of their own. */
@SpringBootApplication(exclude = JettyServletWebServerAutoConfiguration.class)
public class VaccinationsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(VaccinationsApplication.class, arguments);
    }
}
