package brewery.wort;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Strains of yeast, all of which are fetched after the start by two threads. */
@Component
class YeastBank {
    private static final int STRAINS = 24;

    private final Map<Integer, String> strains = new ConcurrentHashMap<>();
    private final ThreadPoolExecutor fetching =
            new ThreadPoolExecutor(2, 2, 1, TimeUnit.MINUTES, new LinkedBlockingQueue<>());
    private final RestClient bank;

    YeastBank(RestClient.Builder clients, @Value("${upstream}") String bank) {
        this.bank = clients.baseUrl(bank).build();
    }

    @EventListener(ApplicationReadyEvent.class)
    void fetchAll() {
        for (int i = 0; i < STRAINS; i++) {
            int strain = i;
            fetching.execute(() -> strains.put(strain, fetched(strain)));
        }
    }

    private String fetched(int strain) {
        return bank.get().uri("/strains/{strain}", strain).retrieve().body(String.class);
    }
}
