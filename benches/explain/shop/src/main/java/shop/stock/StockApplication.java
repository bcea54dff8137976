package shop.stock;

import java.io.IOException;
import org.apache.http.HttpHost;
import org.apache.http.util.EntityUtils;
import org.elasticsearch.client.Request;
import org.elasticsearch.client.RestClient;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import shop.Supplier;

/** Healthy: the stock of a product, while six threads index the catalogue by two connections of their own. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@RestController
public class StockApplication {
    @GetMapping("/")
    String stock() {
        return "in stock " + Supplier.ask("/stock").length();
    }

    @Bean
    RestClient index() {
        return RestClient.builder(HttpHost.create(Supplier.ADDRESS.toString()))
                .setHttpClientConfigCallback(client -> client.setMaxConnPerRoute(2))
                .build();
    }

    @Bean
    ApplicationRunner indexing(RestClient index) {
        return arguments -> {
            for (int part = 0; part < 6; part++) {
                var thread = new Thread(() -> add(index), "catalogue-" + part);
                thread.setDaemon(true);
                thread.start();
            }
        };
    }

    private static void add(RestClient index) {
        try {
            while (!Thread.currentThread().isInterrupted()) {
                EntityUtils.consume(index.performRequest(new Request("POST", "/products/_bulk"))
                        .getEntity());
            }
        } catch (IOException e) {
            throw new IllegalStateException("the index is gone", e);
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(StockApplication.class, arguments);
    }
}
