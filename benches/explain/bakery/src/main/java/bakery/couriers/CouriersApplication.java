package bakery.couriers;

import java.util.concurrent.ThreadLocalRandom;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.HttpEntity;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

/** Where a courier with cakes is; limited by the monitor of a token that is fetched anew for each request. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class})
@RestController
public class CouriersApplication {
    private final RestTemplate couriers;
    private final AccessToken token;
    private final String address;

    CouriersApplication(RestTemplate couriers, AccessToken token, @Value("${upstream}") String address) {
        this.couriers = couriers;
        this.token = token;
        this.address = address;
    }

    @Bean
    static RestTemplate restTemplate() {
        var connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(100)
                .setMaxConnTotal(100)
                .build();
        return new RestTemplate(new HttpComponentsClientHttpRequestFactory(
                HttpClients.custom().setConnectionManager(connections).build()));
    }

    @GetMapping("/")
    String position() {
        var headers = new HttpHeaders();
        headers.setBearerAuth(token.value());
        int van = ThreadLocalRandom.current().nextInt(40);
        var found = couriers.exchange(
                address + "/vans/{van}", HttpMethod.GET, new HttpEntity<>(headers), String.class, van);
        return "van " + van + " is " + found.getBody().length() + " stops away";
    }

    public static void main(String[] arguments) {
        SpringApplication.run(CouriersApplication.class, arguments);
    }
}
