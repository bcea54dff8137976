package foundry.castings;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.transaction.event.TransactionalEventListener;
import org.springframework.web.client.RestClient;

/** Tells the forwarder about each casting, once it is certain that it leaves. */
@Component
class Forwarder {
    private final RestClient forwarder;

    Forwarder(RestClient.Builder clients, @Value("${upstream}") String forwarder) {
        this.forwarder = clients.baseUrl(forwarder).build();
    }

    @TransactionalEventListener
    public void announce(Released released) {
        forwarder
                .post()
                .uri("/pickups/{casting}?gate={gate}", released.casting(), released.gate())
                .retrieve()
                .toBodilessEntity();
    }
}
