package bakery.newsletter;

import java.util.concurrent.atomic.AtomicLong;
import org.springframework.context.annotation.Lazy;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;

/** Sends the letter of the week, to some hundred subscribers a second, through a relay that does fifty. */
@Service
class Letters {
    private final AtomicLong sent = new AtomicLong();
    private final Letters self;

    Letters(@Lazy Letters self) {
        this.self = self;
    }

    @Scheduled(fixedRate = 1_000)
    void sendAll() {
        for (int subscriber = 0; subscriber < 300; subscriber++) {
            self.send(subscriber);
        }
    }

    @Async("letterExecutor")
    void send(int subscriber) {
        try {
            Thread.sleep(40);
            sent.incrementAndGet();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
