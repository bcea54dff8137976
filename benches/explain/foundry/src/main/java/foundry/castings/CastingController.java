package foundry.castings;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CastingController {
    private final Castings castings;

    CastingController(Castings castings) {
        this.castings = castings;
    }

    @RequestMapping("/castings/{casting}/release")
    Released release(@PathVariable String casting) {
        return castings.release(casting);
    }
}
