package foundry.cranes;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@RestController
class CraneController {
    private final RestClient scales;

    CraneController(RestClient.Builder clients, @Value("${upstream}") String scales) {
        this.scales = clients.baseUrl(scales).build();
    }

    @GetMapping("/cranes/{crane}/load")
    Load load(@PathVariable int crane) {
        var weight = scales.get().uri("/scales/{crane}", crane).retrieve().body(String.class);
        return new Load(crane, weight.length() * 55);
    }

    record Load(int crane, int kilograms) {}
}
