package airport.boarding;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;

/** Seats of passengers, who come in groups. */
interface Seats {
    @GetExchange("/groups/{group}")
    String group(@PathVariable int group);

    @GetExchange("/seats/{passengers}")
    String of(@PathVariable String passengers);
}
