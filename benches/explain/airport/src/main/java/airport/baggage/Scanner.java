package airport.baggage;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;

/** The scanner of tags. */
interface Scanner {
    @GetExchange("/tags/{tag}")
    String read(@PathVariable String tag);
}
