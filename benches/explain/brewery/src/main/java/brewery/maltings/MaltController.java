package brewery.maltings;

import java.util.Locale;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@RestController
class MaltController {
    private final RestClient maltings;

    MaltController(RestClient.Builder clients, @Value("${upstream}") String maltings) {
        this.maltings = clients.baseUrl(maltings).build();
    }

    @GetMapping("/malts/{malt}")
    Offer offer(@PathVariable String malt) {
        var sacks = maltings.get().uri("/malts/{malt}/stock", malt).retrieve().body(String.class);
        return new Offer(malt.toUpperCase(Locale.ROOT), sacks.length(), sacks.length() * 38);
    }

    record Offer(String malt, int sacks, int euros) {}
}
