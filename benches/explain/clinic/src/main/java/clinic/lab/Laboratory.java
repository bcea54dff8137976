package clinic.lab;

import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

@Service
class Laboratory {
    private final RestClient laboratory;

    Laboratory(RestClient.Builder clients, @Value("${upstream}") String laboratory) {
        this.laboratory = clients.baseUrl(laboratory).build();
    }

    @Async("laboratories")
    public CompletableFuture<Integer> place(String sample, String analysis) {
        var receipt = laboratory
                .get()
                .uri("/samples/{sample}/{analysis}", sample, analysis)
                .retrieve()
                .body(String.class);
        return CompletableFuture.completedFuture(receipt.length());
    }
}
