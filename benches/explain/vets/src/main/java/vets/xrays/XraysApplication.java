package vets.xrays;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;

/** Previews of X-rays, beside an index of all that have been taken. */
@SpringBootApplication(exclude = TomcatServletWebServerAutoConfiguration.class)
public class XraysApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(XraysApplication.class, arguments);
    }
}
