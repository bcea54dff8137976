package plants;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Tasks of a wide executor that wait for tasks of a narrow one. */
final class NestedExecutors {
    public static void main(String[] arguments) throws Exception {
        var wide = threads("quotes-", 40);
        var narrow = threads("rates-", Integer.getInteger("threads", 5));
        Serve.tomcat(path ->
                wide.submit(() -> narrow.submit(Upstream::read).get()).get());
    }

    private static ExecutorService threads(String name, int count) {
        var number = new AtomicInteger();
        return Executors.newFixedThreadPool(count, task -> new Thread(task, name + number.incrementAndGet()));
    }
}
