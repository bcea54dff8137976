package ski.rental;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.client.RestClient;

/** Rents skis in a transaction, within which a desk is waited for. */
@Service
class RentalService {
    static final int PAIRS = 500;

    private final Skis skis;
    private final RentalDesk[] desks;

    RentalService(
            Skis skis,
            RestClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${rental.desks:1}") int desks) {
        this.skis = skis;
        var workshop = clients.baseUrl(address).build();
        this.desks =
                Stream.generate(() -> new RentalDesk(workshop)).limit(desks).toArray(RentalDesk[]::new);
        skis.saveAll(LongStream.range(0, PAIRS).mapToObj(Ski::new).toList());
    }

    @Transactional
    public String rent(long pair) {
        var ski = skis.findById(pair).orElseThrow();
        return desks[(int) (pair % desks.length)].handOut(ski);
    }
}
