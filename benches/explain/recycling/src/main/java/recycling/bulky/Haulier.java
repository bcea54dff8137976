package recycling.bulky;

import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/** The haulier's interface, for which there is a library that blocks. */
@Service
@EnableAsync
class Haulier {
    private final RestClient haulier;

    Haulier(@Value("${upstream}") String address) {
        haulier = RestClient.builder()
                .baseUrl(address)
                .requestFactory(new JdkClientHttpRequestFactory())
                .build();
    }

    @Async
    public CompletableFuture<Integer> offer(String order) {
        var answer =
                haulier.get().uri("/orders/{order}/offer", order).retrieve().body(String.class);
        return CompletableFuture.completedFuture(answer.length() % 50 + 39);
    }
}
