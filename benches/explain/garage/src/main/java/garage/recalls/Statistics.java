package garage.recalls;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Tells the importer who asks for recalls, one after the other; the oldest are dropped once there are too many. */
@Component
class Statistics {
    private static final int FIELDS = 8;

    private final ThreadPoolExecutor sender = new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(200),
            task -> {
                var thread = new Thread(task, "statistics");
                thread.setDaemon(true);
                return thread;
            },
            new ThreadPoolExecutor.DiscardOldestPolicy());
    private final RestClient importer;

    Statistics(RestClient.Builder clients, @Value("${upstream}") String importer) {
        this.importer = clients.baseUrl(importer).build();
    }

    void asked(String vehicle) {
        sender.execute(() -> {
            for (int field = 0; field < FIELDS; field++) {
                importer.get()
                        .uri("/statistics/{vehicle}/{field}", vehicle, field)
                        .retrieve()
                        .toBodilessEntity();
            }
        });
    }
}
