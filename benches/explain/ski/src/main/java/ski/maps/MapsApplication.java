package ski.maps;

import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Maps of pistes, drawn by a map server, which does few at once; the client's connections to it are in demand, too. */
@SpringBootApplication
@RestController
public class MapsApplication {
    private final RestClient drawing;

    MapsApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        var connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnPerRoute(20)
                .setMaxConnTotal(50)
                .build();
        var client = HttpClients.custom().setConnectionManager(connections).build();
        drawing = clients.baseUrl(address)
                .requestFactory(new HttpComponentsClientHttpRequestFactory(client))
                .build();
    }

    @GetMapping("/")
    String map() {
        return "map "
                + drawing.get()
                        .uri("/pistes/north")
                        .retrieve()
                        .body(String.class)
                        .length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(MapsApplication.class, arguments);
    }
}
