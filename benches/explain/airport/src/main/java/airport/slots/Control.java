package airport.slots;

import org.springframework.web.service.annotation.GetExchange;

/** The control of the air space. */
interface Control {
    @GetExchange("/slots/next")
    String slot();
}
