package bakery.couriers;

import java.time.Duration;
import java.time.Instant;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestTemplate;

/** The token for the couriers' API. It is kept, and replaced some time before it expires, as clocks differ. */
@Component
class AccessToken {
    // Was an hour when this was written.
    private static final Duration LIFETIME = Duration.ofMinutes(5);

    private final RestTemplate identity;
    private final String address;
    private final Duration margin;
    private String value;
    private Instant expires = Instant.MIN;

    AccessToken(
            RestTemplate identity,
            @Value("${upstream}") String address,
            @Value("${couriers.token-margin:10m}") Duration margin) {
        this.identity = identity;
        this.address = address;
        this.margin = margin;
    }

    synchronized String value() {
        var now = Instant.now();
        if (now.plus(margin).isAfter(expires)) {
            var answer = identity.postForObject(
                    address + "/oauth/token", "grant_type=client_credentials&scope=tracking", String.class);
            value = Integer.toHexString(answer.hashCode());
            expires = now.plus(LIFETIME);
        }
        return value;
    }
}
