package plimsoll.gateway;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;

/** An outbound gateway: internal systems name a URL, it calls that URL and streams the answer back. */
@SpringBootApplication
@EnableConfigurationProperties(GatewayProperties.class)
public class GatewayApplication {

    public static void main(String[] args) {
        // HttpURLConnection reads it once; else it would not pass on Via, Origin and some others.
        System.setProperty("sun.net.http.allowRestrictedHeaders", "true");
        SpringApplication.run(GatewayApplication.class, args);
    }
}
