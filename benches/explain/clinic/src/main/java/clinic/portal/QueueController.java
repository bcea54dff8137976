package clinic.portal;

import java.time.LocalTime;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class QueueController {
    private static final int MINUTES = 7;

    private final AtomicInteger served = new AtomicInteger(40);

    @GetMapping("/queues/{queue}/{number}")
    Place place(@PathVariable String queue, @PathVariable int number) {
        int before = Math.max(0, number - served.get());
        return new Place(queue, before, LocalTime.now().plusMinutes((long) MINUTES * before));
    }

    record Place(String queue, int before, LocalTime expected) {}
}
