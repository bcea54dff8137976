package hospital;

import io.github.bucket4j.Bandwidth;
import io.github.bucket4j.Bucket;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.catalina.LifecycleException;

/** Asks insurers whether a patient is insured, no more often than the contract with them allows. */
public final class InsuranceChecks extends Ward {
    private static final long serialVersionUID = 1;

    private final transient ScheduledExecutorService clock = Executors.newScheduledThreadPool(1);
    private final transient Bucket contract = contract(Integer.getInteger("insurers.checks-per-second", 120));

    private static Bucket contract(int perSecond) {
        return Bucket.builder()
                .addLimit(Bandwidth.builder()
                        .capacity(10)
                        .refillGreedy(perSecond, Duration.ofSeconds(1))
                        .build())
                .build();
    }

    @Override
    CompletionStage<String> answer(String patient) {
        return contract.asScheduler()
                .consume(1, clock)
                .thenCompose(granted -> ask("/insured/" + patient))
                .thenApply(answer -> patient + " is insured, by clause " + answer.length());
    }

    public static void main(String[] arguments) throws LifecycleException {
        Reception.openTomcat(new InsuranceChecks(), connector -> connector.setProperty("maxThreads", "50"));
    }
}
