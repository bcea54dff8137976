package aquarium.turtles;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Finders of turtles are told a ward; limited by the clinic, which does few at once, so that the bulkhead is full. */
@SpringBootApplication
@RestController
public class TurtlesApplication {
    private final Bulkhead bulkhead = Bulkhead.of(
            "clinic",
            BulkheadConfig.custom()
                    .maxConcurrentCalls(24)
                    .maxWaitDuration(Duration.ofSeconds(20))
                    .build());
    private final RestClient clinic;

    TurtlesApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        var connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(50)
                .setMaxConnTotal(50)
                .build();
        clinic = clients.baseUrl(address)
                .requestFactory(new HttpComponentsClientHttpRequestFactory(
                        HttpClients.custom().setConnectionManager(connections).build()))
                .build();
    }

    @GetMapping("/")
    String ward() {
        return bulkhead.executeSupplier(() -> "ward "
                + clinic.get().uri("/wards/free").retrieve().body(String.class).length());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(TurtlesApplication.class, arguments);
    }
}
