package bakery;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

/** Flour by asking the mill: on the thread that Micronaut chooses, and on the executor for what waits. */
@Controller
final class FlourController {
    private final Mill mill;

    FlourController(Mill mill) {
        this.mill = mill;
    }

    @Get(uri = "/flour", produces = "text/plain")
    String flour() {
        return "flour " + mill.ask("flour").length();
    }

    @Get(uri = "/rye", produces = "text/plain")
    @ExecuteOn(TaskExecutors.IO)
    String rye() {
        return "rye " + mill.ask("rye").length();
    }
}
