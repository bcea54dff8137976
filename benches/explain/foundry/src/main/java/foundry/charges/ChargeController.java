package foundry.charges;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ChargeController {
    private final Mixture mixture;

    ChargeController(Mixture mixture) {
        this.mixture = mixture;
    }

    @GetMapping("/charges")
    Charge charge(@RequestParam double silicon, @RequestParam(defaultValue = "1000") int kilograms) {
        return new Charge(kilograms, mixture.shares(silicon));
    }

    record Charge(int kilograms, double[] shares) {}
}
