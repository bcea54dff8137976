package plimsoll.gateway;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** An outbound gateway: internal systems name a URL, it calls that URL and streams the answer back. */
@SpringBootApplication
@EnableConfigurationProperties(GatewayProperties.class)
public class GatewayApplication {

    public static void main(String[] args) {
        JdkClientSettings.apply();
        var application = new SpringApplication(GatewayApplication.class);
        application.addListeners(new ServerChoice());
        application.run(args);
    }
}
