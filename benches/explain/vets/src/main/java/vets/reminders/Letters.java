package vets.reminders;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;

/** Writes all owners once a year, as fast as the database likes. */
@Service
class Letters {
    private static final int OWNERS = 100_000;

    private final ExecutorService printers = Executors.newFixedThreadPool(24, task -> {
        var thread = new Thread(task, "letters");
        thread.setDaemon(true);
        return thread;
    });
    private final JdbcTemplate owners;

    Letters(JdbcTemplate owners) {
        this.owners = owners;
    }

    @EventListener(ApplicationReadyEvent.class)
    void print() {
        for (int i = 0; i < OWNERS; i++) {
            int owner = i;
            printers.submit(() -> letter(owner).length());
        }
    }

    private String letter(int owner) {
        var name = owners.queryForObject("select name from owners where id = " + owner, String.class);
        return "Dear " + name + ", your animal is to be vaccinated.";
    }
}
