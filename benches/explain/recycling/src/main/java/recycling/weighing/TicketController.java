package recycling.weighing;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
class TicketController {
    private final Tickets tickets;

    TicketController(Tickets tickets) {
        this.tickets = tickets;
    }

    @GetMapping("/tickets/{number}")
    Mono<Ticket> ticket(@PathVariable long number) {
        return tickets.material(number).map(material -> new Ticket(number, material, 7_500 + number % 12_000, 7_480));
    }

    record Ticket(long number, String material, long grossKilograms, long emptyKilograms) {}
}
