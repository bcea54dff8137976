package aquarium.whales;

import java.net.http.HttpClient;
import java.util.concurrent.Semaphore;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Songs of whales; nothing here is a limit, the archive takes long to send a song and as long to send a hundred. */
@SpringBootApplication
@RestController
public class WhalesApplication {
    private final Semaphore listeners = new Semaphore(200);
    private final RestClient archive;

    WhalesApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        var client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        archive = clients.baseUrl(address)
                .requestFactory(new JdkClientHttpRequestFactory(client))
                .build();
    }

    @GetMapping("/")
    String song() throws InterruptedException {
        listeners.acquire();
        try {
            return archive.get().uri("/songs/humpback").retrieve().body(String.class);
        } finally {
            listeners.release();
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(WhalesApplication.class, arguments);
    }
}
