package parcels.scans;

import jakarta.annotation.PostConstruct;
import jakarta.annotation.PreDestroy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import org.springframework.web.context.request.async.DeferredResult;

/** Sorters take scans out of the hall's inbox, as they came. */
@Component
class SortingHall {
    private final BlockingQueue<Scan> inbox = new LinkedBlockingQueue<>();
    private final List<Thread> sorters = new ArrayList<>();
    private final RestClient chutes;

    SortingHall(
            RestClient.Builder clients, @Value("${upstream}") String chutes, @Value("${scans.sorters:4}") int count) {
        this.chutes = clients.baseUrl(chutes).build();
        for (var i = 1; i <= count; i++) {
            sorters.add(new Thread(this::sort, "sorter-" + i));
        }
    }

    DeferredResult<String> scanned(String barcode) {
        var scan = new Scan(barcode, new DeferredResult<>(30_000L));
        inbox.add(scan);
        return scan.chute();
    }

    @PostConstruct
    void open() {
        sorters.forEach(Thread::start);
    }

    @PreDestroy
    void close() {
        sorters.forEach(Thread::interrupt);
    }

    private void sort() {
        try {
            while (true) {
                answer(inbox.take());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(Scan scan) {
        try {
            var chute = chutes.get()
                    .uri("/chutes/{code}", scan.barcode())
                    .retrieve()
                    .body(String.class);
            scan.chute().setResult("chute " + chute.length());
        } catch (RestClientException e) {
            scan.chute().setErrorResult(e);
        }
    }

    private record Scan(String barcode, DeferredResult<String> chute) {}
}

@RestController
class ScanController {
    private final SortingHall hall;

    ScanController(SortingHall hall) {
        this.hall = hall;
    }

    @GetMapping("/scans")
    DeferredResult<String> scan(@RequestParam(defaultValue = "340434") String barcode) {
        return hall.scanned(barcode);
    }
}
