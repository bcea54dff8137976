package clinic.cards;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import java.time.Duration;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;

/** Cards that were asked for lately, as most visitors come more than once. */
@Service
class Cards {
    private final Cache<String, Card> cards = cache();
    private final Cache<String, Optional<Card>> answers = cache();
    private final Insurers insurers;
    private final boolean keepAnswers;

    Cards(Insurers insurers, @Value("${cards.keep-answers:false}") boolean keepAnswers) {
        this.insurers = insurers;
        this.keepAnswers = keepAnswers;
    }

    Optional<Card> find(String number) {
        if (keepAnswers) {
            return answers.get(number, wanted -> Optional.ofNullable(insurers.find(wanted)));
        }
        return Optional.ofNullable(cards.get(number, insurers::find));
    }

    private static <V> Cache<String, V> cache() {
        return Caffeine.newBuilder()
                .maximumSize(20_000)
                .expireAfterWrite(Duration.ofHours(1))
                .build();
    }

    record Card(String number, String insurer) {}
}
