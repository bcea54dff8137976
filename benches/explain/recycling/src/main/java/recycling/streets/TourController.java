package recycling.streets;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
class TourController {
    private final StreetRegister streets;

    TourController(StreetRegister streets) {
        this.streets = streets;
    }

    @GetMapping("/tours/{tour}/streets")
    Mono<Tour> tour(@PathVariable int tour) {
        return streets.remarks(tour).map(remarks -> new Tour(tour, remarks));
    }

    record Tour(int number, List<String> remarks) {}
}
