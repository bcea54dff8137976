package pharmacy.samples;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/** Calls the laboratory, which by contract is asked so many things at once and no more. */
@Service
class Laboratory {
    private final RestClient client;
    private final Semaphore contract;

    Laboratory(
            RestClient.Builder clients, @Value("${upstream}") String address, @Value("${samples.at-once:5}") int most) {
        client = clients.baseUrl(address).build();
        contract = new Semaphore(most);
    }

    @Async
    public CompletableFuture<String> result() {
        contract.acquireUninterruptibly();
        try {
            return CompletableFuture.completedFuture(
                    client.get().uri("/samples/1").retrieve().body(String.class));
        } finally {
            contract.release();
        }
    }
}
