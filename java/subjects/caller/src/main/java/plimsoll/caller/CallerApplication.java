package plimsoll.caller;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** A service that answers a request by calling another service, with one of five clients. */
@SpringBootApplication
@EnableConfigurationProperties(CallerProperties.class)
public class CallerApplication {

    public static void main(String[] args) {
        SpringApplication.run(CallerApplication.class, args);
    }
}
