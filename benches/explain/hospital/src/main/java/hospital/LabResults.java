package hospital;

import dev.failsafe.Bulkhead;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeExecutor;
import dev.failsafe.RetryPolicy;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/** Results of the laboratory, whose system is old, and is asked again if it hangs up. */
public final class LabResults extends Ward {
    private static final long serialVersionUID = 1;

    private final transient FailsafeExecutor<String> laboratory = Failsafe.with(
            RetryPolicy.<String>builder()
                    .handle(IOException.class)
                    .withBackoff(Duration.ofMillis(100), Duration.ofSeconds(2))
                    .build(),
            Bulkhead.<String>builder(Integer.getInteger("laboratory.at-once", 5))
                    .withMaxWaitTime(Duration.ofSeconds(50))
                    .build());

    @Override
    CompletionStage<String> answer(String sample) {
        return laboratory
                .getStageAsync(() -> ask("/samples/" + sample))
                .thenApply(result -> sample + ": " + result.length() + " mg/l");
    }

    public static void main(String[] arguments) throws Exception {
        Reception.openJetty(new LabResults());
    }
}
