package airport.lounges;

import airport.Partner;
import java.util.concurrent.CompletableFuture;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;

/** The lists of guests, which an airline has. */
@Service
class GuestLists {
    private final Airline airline = Partner.by(Airline.class);

    @Async
    public CompletableFuture<String> fetch() {
        return CompletableFuture.completedFuture("guests " + airline.guests().length());
    }
}
