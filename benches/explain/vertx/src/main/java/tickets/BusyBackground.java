package tickets;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;

/** Healthy: all worker threads wait for messages for ever and more such tasks queue, while requests need none of them. */
public final class BusyBackground {
    public static void main(String[] arguments) {
        var vertx = Vertx.vertx(new VertxOptions().setEventLoopPoolSize(4).setWorkerPoolSize(3));
        var messages = new LinkedBlockingQueue<String>();
        Callable<String> consumer = messages::take;
        for (int i = 0; i < 8; i++) {
            vertx.executeBlocking(consumer, false).onSuccess(System.out::println);
        }
        var client = Box.client(vertx, 100);
        Box.serve(
                vertx,
                router -> router.get("/")
                        .handler(context ->
                                Box.answer(context, client.get("/").send().map(found -> found.bodyAsString()))));
    }
}
