package shop.search;

import java.io.IOException;
import org.apache.http.HttpHost;
import org.apache.http.util.EntityUtils;
import org.elasticsearch.client.Request;
import org.elasticsearch.client.RestClient;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import shop.Supplier;

/** Searches for products in Elasticsearch, by its low-level client as it comes. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class SearchApplication {
    @RestController
    static class Page {
        private final RestClient index;

        Page(RestClient index) {
            this.index = index;
        }

        @GetMapping("/")
        String search() throws IOException {
            var answer = index.performRequest(new Request("GET", "/products/_search"));
            return "found " + EntityUtils.toString(answer.getEntity()).length();
        }
    }

    @Bean
    RestClient index() {
        var builder = RestClient.builder(HttpHost.create(Supplier.ADDRESS.toString()));
        var connections = Integer.getInteger("search.connections");
        if (connections != null) {
            builder.setHttpClientConfigCallback(
                    client -> client.setMaxConnPerRoute(connections).setMaxConnTotal(connections));
        }
        return builder.build();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SearchApplication.class, arguments);
    }
}
