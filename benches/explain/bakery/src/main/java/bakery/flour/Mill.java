package bakery.flour;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;

/** The mill's API. */
interface Mill {
    @GetExchange("/stock/{grain}")
    String stock(@PathVariable String grain);
}
