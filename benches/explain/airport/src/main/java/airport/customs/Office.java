package airport.customs;

import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.service.annotation.GetExchange;

/** The customs office. */
interface Office {
    @GetExchange("/declarations")
    String declare(@RequestParam String goods);
}
