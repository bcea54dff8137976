package library.loans;

import java.net.http.HttpClient;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;

/** A trail in another service that knows entries in their order only: one at a time. */
class AuditTrail {
    private final RestClient archive = RestClient.builder()
            .requestFactory(new JdkClientHttpRequestFactory(HttpClient.newHttpClient()))
            .baseUrl(System.getProperty("upstream", "http://127.0.0.1:9"))
            .build();
    private long entries;

    synchronized long append(String entry) {
        archive.post().uri("/entries").body(entry).retrieve().toBodilessEntity();
        return ++entries;
    }
}
