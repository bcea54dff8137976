package hospital;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Referrals to other hospitals: drawn up at once, and posted by a pool that grows when much is to be posted. */
public final class Referrals extends Ward {
    private static final long serialVersionUID = 1;

    private final transient Executor mail = pool(Integer.getInteger("mail.core", 5), 60);

    private static Executor pool(int core, int most) {
        var numbers = new AtomicInteger();
        ThreadFactory names = task -> new Thread(task, "mail-" + numbers.incrementAndGet());
        return new ThreadPoolExecutor(
                core, Math.max(core, most), 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(5_000), names);
    }

    @Override
    CompletionStage<String> answer(String patient) {
        return ask("/patients/" + patient)
                .thenApply(history -> "Dear colleague, " + patient + " has " + history.length() + " entries.")
                .thenApplyAsync(
                        letter ->
                                letter + " Posted: " + send("/letters", letter).length(),
                        mail);
    }

    public static void main(String[] arguments) throws Exception {
        Reception.openJetty(new Referrals());
    }
}
