package recycling.pickups;

import org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient;
import org.apache.hc.client5.http.impl.async.HttpAsyncClients;
import org.apache.hc.client5.http.impl.nio.PoolingAsyncClientConnectionManagerBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.client.reactive.HttpComponentsClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;

@Configuration
class ClientConfiguration {
    @Bean(destroyMethod = "close")
    CloseableHttpAsyncClient http(@Value("${planning.max-connections:0}") int most) {
        var connections = PoolingAsyncClientConnectionManagerBuilder.create();
        if (most > 0) {
            connections.setMaxConnTotal(most).setMaxConnPerRoute(most);
        }
        return HttpAsyncClients.custom()
                .setConnectionManager(connections.build())
                .build();
    }

    @Bean
    WebClient planning(WebClient.Builder clients, CloseableHttpAsyncClient http, @Value("${upstream}") String address) {
        return clients.baseUrl(address)
                .clientConnector(new HttpComponentsClientHttpConnector(http))
                .build();
    }
}
