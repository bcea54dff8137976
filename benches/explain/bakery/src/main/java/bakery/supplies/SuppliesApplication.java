package bakery.supplies;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.SocketConfig;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.http.MediaType;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Orders of supplies, larger than a buffer; limited by the end of each, which waits until its start is acknowledged. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, TomcatServletWebServerAutoConfiguration.class})
@RestController
public class SuppliesApplication {
    private final RestClient trader;

    SuppliesApplication(
            RestClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${trader.tcp-no-delay:false}") boolean noDelay) {
        var connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setDefaultSocketConfig(
                        SocketConfig.custom().setTcpNoDelay(noDelay).build())
                .setMaxConnPerRoute(50)
                .setMaxConnTotal(50)
                .build();
        trader = clients.baseUrl(address)
                .requestFactory(new HttpComponentsClientHttpRequestFactory(
                        HttpClients.custom().setConnectionManager(connections).build()))
                .build();
    }

    record Supply(int article, String unit, int amount, String remark) {}

    @GetMapping("/")
    String order() {
        int first = ThreadLocalRandom.current().nextInt(10_000);
        List<Supply> supplies = IntStream.range(first, first + 150)
                .mapToObj(article -> new Supply(article, "sack", article % 9 + 1, "deliver before five"))
                .toList();
        var receipt = trader.post()
                .uri("/orders")
                .contentType(MediaType.APPLICATION_JSON)
                .body(supplies)
                .retrieve()
                .body(String.class);
        return "ordered, receipt " + receipt.length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SuppliesApplication.class, arguments);
    }
}
