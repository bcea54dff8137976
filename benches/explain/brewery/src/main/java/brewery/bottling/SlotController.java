package brewery.bottling;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@RestController
class SlotController {
    private final Conveyor conveyor;
    private final RestClient bottler;

    SlotController(Conveyor conveyor, RestClient.Builder clients, @Value("${upstream}") String bottler) {
        this.conveyor = conveyor;
        this.bottler = clients.baseUrl(bottler).build();
    }

    @GetMapping("/lines/{line}/slots/first")
    String first(@PathVariable int line) {
        conveyor.ride();
        var free = bottler.get().uri("/lines/{line}/slots", line).retrieve().body(String.class);
        return "line " + line + " is free at " + free.length() % 24 + " o'clock";
    }
}
