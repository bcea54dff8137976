package hospital;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.catalina.LifecycleException;

/** Prescriptions, each sealed by a card in a reader that is asked over the network. */
public final class PrescriptionSeals extends Ward {
    private static final long serialVersionUID = 1;

    /** The session with a card: not for two threads at a time, says the manual. */
    private static final class Card {
        private int sealed;

        synchronized String seal(String prescription) {
            sealed++;
            return "seal " + sealed + " of " + send("/card/seal", prescription).length();
        }
    }

    private final transient Card[] cards = IntStream.range(0, Integer.getInteger("seals.cards", 1))
            .mapToObj(slot -> new Card())
            .toArray(Card[]::new);
    private final transient ExecutorService sealing = Executors.newFixedThreadPool(64);
    private final AtomicInteger next = new AtomicInteger();

    @Override
    CompletionStage<String> answer(String prescription) {
        var card = cards[Math.floorMod(next.getAndIncrement(), cards.length)];
        return CompletableFuture.supplyAsync(() -> card.seal(prescription), sealing)
                .thenApply(seal -> prescription + ", " + seal);
    }

    public static void main(String[] arguments) throws LifecycleException {
        Reception.openTomcat(new PrescriptionSeals(), connector -> connector.setProperty("maxThreads", "50"));
    }
}
