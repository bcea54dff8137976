package airport.lounges;

import org.springframework.web.service.annotation.GetExchange;

/** An airline that has a lounge. */
interface Airline {
    @GetExchange("/guests")
    String guests();
}
