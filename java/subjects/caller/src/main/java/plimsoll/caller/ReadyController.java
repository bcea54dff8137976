package plimsoll.caller;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers at once, as soon as requests are served. */
@RestController
class ReadyController {

    @GetMapping("/ready")
    String ready() {
        return "ready";
    }
}
