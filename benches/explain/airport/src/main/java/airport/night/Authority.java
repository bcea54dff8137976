package airport.night;

import org.springframework.web.service.annotation.GetExchange;

/** The authority for noise. */
interface Authority {
    @GetExchange("/permits")
    String permit();
}
