package orchard;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.util.BlockingTaskExecutor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;

/** Presses apples, which blocks, on Armeria's executor for tasks that do: it was made small. */
public final class Press {
    public static void main(String[] arguments) {
        var presses = BlockingTaskExecutor.builder()
                .numThreads(Integer.getInteger("press.blocking-threads", 4))
                .build();
        Orchard.server()
                .blockingTaskExecutor(presses, true)
                .service(
                        "/",
                        (context, request) -> HttpResponse.of(CompletableFuture.supplyAsync(
                                () -> HttpResponse.of("juice " + press()), context.blockingTaskExecutor())))
                .build()
                .start()
                .join();
    }

    private static int press() {
        try (var body = Orchard.MARKET.toURL().openStream()) {
            return body.readAllBytes().length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
