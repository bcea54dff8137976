package airport.slots;

import airport.Partner;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.integration.support.locks.DefaultLockRegistry;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Slots of runways, each given away under the runway's lock of Spring Integration's registry: there is one runway. */
@SpringBootApplication
@RestController
public class SlotsApplication {
    private final DefaultLockRegistry locks = new DefaultLockRegistry();
    private final Control control = Partner.by(Control.class);
    private final int runways;

    SlotsApplication(@Value("${slots.runways:1}") int runways) {
        this.runways = runways;
    }

    @GetMapping("/")
    String slot() {
        var lock = locks.obtain("runway-" + ThreadLocalRandom.current().nextInt(runways));
        lock.lock();
        try {
            return "slot " + control.slot().length();
        } finally {
            lock.unlock();
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SlotsApplication.class, arguments);
    }
}
