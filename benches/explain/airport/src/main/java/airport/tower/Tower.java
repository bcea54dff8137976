package airport.tower;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.service.annotation.GetExchange;
import reactor.core.publisher.Mono;

/** The tower. */
interface Tower {
    @GetExchange("/clearances/{flight}")
    Mono<String> clear(@PathVariable String flight);
}
