package garage.drives;

import java.util.concurrent.Semaphore;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Copies the calendars of all branches to the head office, two at a time. */
@Component
class CalendarExport {
    private static final int BRANCHES = 10;
    private static final int PAGES = 20;

    private final Semaphore lines = new Semaphore(2);
    private final RestClient office;

    CalendarExport(RestClient.Builder clients, @Value("${upstream}") String office) {
        this.office = clients.baseUrl(office).build();
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        for (int branch = 0; branch < BRANCHES; branch++) {
            int exported = branch;
            var export = new Thread(() -> export(exported), "export-" + branch);
            export.setDaemon(true);
            export.start();
        }
    }

    private void export(int branch) {
        while (true) {
            lines.acquireUninterruptibly();
            try {
                for (int page = 0; page < PAGES; page++) {
                    office.get()
                            .uri("/branches/{branch}/{page}", branch, page)
                            .retrieve()
                            .toBodilessEntity();
                }
            } finally {
                lines.release();
            }
        }
    }
}
