package clinic.dosages;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** Fetches the leaflets of all drugs, again and again, as the makers change them. */
@Component
class LeafletImport {
    private static final int DRUGS = 500;

    private final ThreadPoolTaskExecutor imports = new ThreadPoolTaskExecutor();
    private final RestClient makers;

    LeafletImport(RestClient.Builder clients, @Value("${upstream}") String makers) {
        this.makers = clients.baseUrl(makers).build();
        imports.setThreadNamePrefix("import-");
        imports.setCorePoolSize(2);
        imports.setDaemon(true);
        imports.initialize();
    }

    @EventListener(ApplicationReadyEvent.class)
    void begin() {
        for (int drug = 0; drug < DRUGS; drug++) {
            int number = drug;
            imports.execute(() -> fetch(number));
        }
    }

    private void fetch(int drug) {
        makers.get().uri("/leaflets/{drug}", drug).retrieve().toBodilessEntity();
        imports.execute(() -> fetch(drug));
    }
}
