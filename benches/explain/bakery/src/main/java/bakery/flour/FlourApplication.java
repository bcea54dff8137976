package bakery.flour;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import java.time.Duration;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.http.client.ClientHttpRequestFactoryBuilder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** How much flour the mill has; limited by the connections that HttpClient 5 has for a host if it is not told. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class})
@RestController
public class FlourApplication {
    private final Bulkhead bulkhead = Bulkhead.of(
            "mill",
            BulkheadConfig.custom()
                    .maxConcurrentCalls(40)
                    .maxWaitDuration(Duration.ofSeconds(20))
                    .build());
    private final Mill mill;

    FlourApplication(Mill mill) {
        this.mill = mill;
    }

    @Bean
    static Mill mill(
            RestClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${mill.connections:0}") int connections) {
        var factory = ClientHttpRequestFactoryBuilder.httpComponents()
                .withConnectionManagerCustomizer(manager -> limit(manager, connections))
                .build();
        var client = clients.baseUrl(address).requestFactory(factory).build();
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(Mill.class);
    }

    private static void limit(PoolingHttpClientConnectionManagerBuilder manager, int connections) {
        if (connections > 0) {
            manager.setMaxConnPerRoute(connections).setMaxConnTotal(connections);
        }
    }

    @GetMapping("/")
    String flour(@RequestParam(defaultValue = "rye") String grain) {
        return bulkhead.executeSupplier(() -> mill.stock(grain)).length() + " sacks of " + grain;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(FlourApplication.class, arguments);
    }
}
