package foundry.scrap;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@RestController
class LotController {
    private final RestClient dealers;

    LotController(RestClient dealers) {
        this.dealers = dealers;
    }

    @GetMapping("/lots/{lot}")
    Lot lot(@PathVariable String lot) {
        var offer = dealers.get().uri("/offers/{lot}", lot).retrieve().body(String.class);
        return new Lot(lot, offer.length() * 12, offer.length() % 7 / 100.0);
    }

    record Lot(String number, int kilograms, double copper) {}
}
