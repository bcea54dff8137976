package brewery.fermentation;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@RestController
class TankController {
    private static final double WORT = 12.4;

    private final RestClient probes;

    TankController(RestClient.Builder clients, @Value("${upstream}") String probes) {
        this.probes = clients.baseUrl(probes).build();
    }

    @GetMapping("/tanks/{tank}")
    Tank tank(@PathVariable int tank) {
        var density = probes.get().uri("/probes/{tank}", tank).retrieve().body(String.class);
        return new Tank(tank, WORT - density.length() % 9, WORT);
    }

    record Tank(int tank, double plato, double wort) {}
}
