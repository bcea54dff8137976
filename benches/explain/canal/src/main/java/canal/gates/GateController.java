package canal.gates;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
class GateController {
    private final Keeper keeper;

    GateController(Keeper keeper) {
        this.keeper = keeper;
    }

    @GetMapping("/locks/{lock}/gate")
    Mono<Keeper.Gate> gate(@PathVariable String lock) {
        return keeper.gate(lock);
    }
}
