package garage.orders;

import java.util.concurrent.locks.ReentrantLock;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

@Service
class Purchasing {
    private final ReentrantLock turn = new ReentrantLock();
    private final RestClient wholesaler;
    private final Basket basket;
    private final boolean newBaskets;

    Purchasing(
            RestClient.Builder clients,
            @Value("${upstream}") String wholesaler,
            @Value("${orders.new-baskets:false}") boolean newBaskets) {
        this.wholesaler = clients.baseUrl(wholesaler).build();
        this.newBaskets = newBaskets;
        basket = new Basket(this.wholesaler);
    }

    String order(String part) {
        if (newBaskets) {
            return ordered(part, new Basket(wholesaler));
        }
        turn.lock();
        try {
            return ordered(part, basket);
        } finally {
            turn.unlock();
        }
    }

    private static String ordered(String part, Basket basket) {
        basket.add(part);
        return basket.send();
    }
}
