package parcels.couriers;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;

/** Collects offers, and sends those that have come in as a list. */
@Service
class CourierOffers {
    private static final long PATIENCE = 20_000;

    private final HttpClient http = HttpClient.newHttpClient();
    private final LinkedBlockingQueue<Offer> offers = new LinkedBlockingQueue<>();
    private final URI couriers;
    private final int most;

    CourierOffers(@Value("${upstream}") URI couriers, @Value("${couriers.list-size:6}") int most) {
        this.couriers = couriers.resolve("/offers");
        this.most = most;
    }

    DeferredResult<String> offer(int parcel) {
        var offer = new Offer(parcel, new DeferredResult<>(PATIENCE));
        offers.add(offer);
        return offer.taken();
    }

    @Scheduled(fixedDelayString = "${couriers.interval:100}")
    void send() {
        var list = new ArrayList<Offer>();
        if (offers.drainTo(list, most) > 0) {
            var parcels = list.stream().map(offer -> "" + offer.parcel()).collect(Collectors.joining(","));
            var request = HttpRequest.newBuilder(couriers)
                    .POST(BodyPublishers.ofString(parcels))
                    .build();
            http.sendAsync(request, BodyHandlers.ofString())
                    .whenComplete((response, failure) -> tell(list, response, failure));
        }
    }

    private static void tell(List<Offer> list, HttpResponse<String> response, Throwable failure) {
        for (var offer : list) {
            if (failure != null) {
                offer.taken().setErrorResult(failure);
            } else {
                offer.taken().setResult(offer.parcel() + ": " + response.body().length());
            }
        }
    }

    private record Offer(int parcel, DeferredResult<String> taken) {}
}

@RestController
class OfferController {
    private final CourierOffers offers;
    private final AtomicInteger numbers = new AtomicInteger();

    OfferController(CourierOffers offers) {
        this.offers = offers;
    }

    @GetMapping("/")
    DeferredResult<String> offer() {
        return offers.offer(numbers.incrementAndGet());
    }
}
