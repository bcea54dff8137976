package plimsoll.gateway;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Answers at once, as soon as requests are served; on either server. */
@RestController
class ReadyController {

    @GetMapping(path = "/ready", produces = "text/plain;charset=UTF-8")
    String ready() {
        return "ready";
    }
}
