package hospital;

import dev.failsafe.Bulkhead;
import dev.failsafe.Failsafe;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Visiting hours; in the background, last year's letters wait for their turn at the one dictation machine. */
public final class VisitingHours extends Ward {
    private static final long serialVersionUID = 1;

    private final transient Bulkhead<String> visitors =
            Bulkhead.<String>builder(40).withMaxWaitTime(Duration.ofSeconds(5)).build();

    @Override
    CompletionStage<String> answer(String ward) {
        return Failsafe.with(visitors)
                .getStageAsync(() -> ask("/wards/" + ward + "/hours"))
                .thenApply(hours -> ward + " from two to " + hours.length() % 10);
    }

    private static void typeLetters() {
        var machine =
                Bulkhead.<String>builder(1).withMaxWaitTime(Duration.ofDays(1)).build();
        IntStream.range(0, 3_000).forEach(letter -> Failsafe.with(machine).getStageAsync(() -> typed(letter)));
    }

    private static CompletableFuture<String> typed(int letter) {
        return new CompletableFuture<String>().completeOnTimeout("letter " + letter, 900, TimeUnit.MILLISECONDS);
    }

    public static void main(String[] arguments) throws Exception {
        typeLetters();
        Reception.openJetty(new VisitingHours());
    }
}
