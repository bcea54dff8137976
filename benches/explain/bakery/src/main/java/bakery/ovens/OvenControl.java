package bakery.ovens;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.Retryable;
import org.springframework.stereotype.Service;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** The control of all ovens, which is not to be flooded since it once hung. */
@Service
class OvenControl {
    private final RestClient control;

    OvenControl(RestClient.Builder clients, @Value("${upstream}") String address) {
        control = clients.baseUrl(address).build();
    }

    @Retryable(includes = ResourceAccessException.class, maxRetries = 2)
    @ConcurrencyLimit(limitString = "${ovens.questions:6}")
    public int temperature(int oven) {
        var reading = control.get().uri("/ovens/{oven}/now", oven).retrieve().body(String.class);
        return 130 + reading.length();
    }
}
