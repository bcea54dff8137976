package foundry.certificates;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;

/** Certificates about the steel of a melt, under the seal of the works. */
@SpringBootApplication(exclude = {TomcatServletWebServerAutoConfiguration.class, DataSourceAutoConfiguration.class})
public class CertificatesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(CertificatesApplication.class, arguments);
    }
}
