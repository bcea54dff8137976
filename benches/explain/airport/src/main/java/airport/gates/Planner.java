package airport.gates;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;

/** The planner of gates. */
interface Planner {
    @GetExchange("/flights/{flight}/gate")
    String gate(@PathVariable int flight);
}
