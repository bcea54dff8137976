package foundry.ingots;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class StackController {
    private final Ingots ingots;

    StackController(Ingots ingots) {
        this.ingots = ingots;
    }

    @GetMapping("/stacks/{stack}")
    Stack stack(@PathVariable int stack) {
        var found = ingots.findByStackOrderByNumber(stack);
        int kilograms = found.stream().mapToInt(Ingot::kilograms).sum();
        return new Stack(stack, found.stream().map(Ingot::number).toList(), kilograms, ingots.ofAlloy("AlSi7"));
    }

    record Stack(int stack, List<Long> ingots, int kilograms, long alike) {}
}
