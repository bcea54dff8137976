package plimsoll.clinic;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class VetController {

    private final Vets vets;

    VetController(Vets vets) {
        this.vets = vets;
    }

    @GetMapping("/vets")
    List<Vet> all() {
        return vets.findAll();
    }
}
