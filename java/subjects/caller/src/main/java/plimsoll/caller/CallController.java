package plimsoll.caller;

import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /call} by a client that blocks the thread of the request. */
@RestController
@Profile("!webclient")
class CallController {

    private final Upstream upstream;

    CallController(Upstream upstream) {
        this.upstream = upstream;
    }

    @GetMapping("/call")
    String call() {
        return upstream.fetch();
    }
}
