package vets.surgery;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class SurgeryController {
    private static final int SLOTS = 2_000;

    private final Bookings bookings;

    SurgeryController(Bookings bookings) {
        this.bookings = bookings;
    }

    @GetMapping("/practices/{practice}/operations/book")
    String book(@PathVariable int practice) {
        return bookings.book(practice, ThreadLocalRandom.current().nextInt(SLOTS));
    }
}
