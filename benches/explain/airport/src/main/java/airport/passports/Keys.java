package airport.passports;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;

/** The keys of officers. */
interface Keys {
    @GetExchange("/keys/{officer}")
    String find(@PathVariable int officer);
}
