package garage.loans;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/** The rental firm's cars, and in Redis the customers' wishes. */
@Service
class Fleet {
    private final StringRedisTemplate wishes;
    private final RestClient rental;

    Fleet(StringRedisTemplate wishes, RestClient.Builder clients, @Value("${upstream}") String rental) {
        this.wishes = wishes;
        this.rental = clients.baseUrl(rental).build();
    }

    String carFor(String customer) {
        var wish = wishes.opsForValue().get("wish:" + customer);
        var cars = rental.get().uri("/cars?class={wish}", wish).retrieve().body(String.class);
        return wish + "-" + cars.length();
    }
}
