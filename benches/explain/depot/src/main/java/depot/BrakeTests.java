package depot;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.apache.hc.core5.http.EntityDetails;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.Message;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.impl.bootstrap.AsyncServerBootstrap;
import org.apache.hc.core5.http.impl.routing.RequestRouter;
import org.apache.hc.core5.http.nio.AsyncRequestConsumer;
import org.apache.hc.core5.http.nio.AsyncServerRequestHandler;
import org.apache.hc.core5.http.nio.entity.DiscardingEntityConsumer;
import org.apache.hc.core5.http.nio.support.AsyncResponseBuilder;
import org.apache.hc.core5.http.nio.support.BasicRequestConsumer;
import org.apache.hc.core5.http.protocol.HttpContext;

/** Results of brake tests, by Apache's asynchronous server, whose I/O dispatchers wait for the workshop themselves. */
public final class BrakeTests implements AsyncServerRequestHandler<Message<HttpRequest, Void>> {
    private final Executor threads;

    private BrakeTests(Executor threads) {
        this.threads = threads;
    }

    public static void main(String[] arguments) throws Exception {
        int own = Integer.getInteger("brakes.threads", 0);
        var server = AsyncServerBootstrap.bootstrap()
                .setCanonicalHostName("127.0.0.1")
                .setAuthorityResolver(RequestRouter.IGNORE_PORT_AUTHORITY_RESOLVER)
                .register("*", new BrakeTests(own == 0 ? Runnable::run : Executors.newFixedThreadPool(own)))
                .create();
        server.start();
        server.listen(new InetSocketAddress("127.0.0.1", Depot.PORT), URIScheme.HTTP)
                .get();
        Thread.currentThread().join();
    }

    @Override
    public AsyncRequestConsumer<Message<HttpRequest, Void>> prepare(
            HttpRequest request, EntityDetails entity, HttpContext context) {
        return new BasicRequestConsumer<>(entity == null ? null : new DiscardingEntityConsumer<>());
    }

    @Override
    public void handle(Message<HttpRequest, Void> request, ResponseTrigger response, HttpContext context) {
        threads.execute(() -> {
            try {
                var body = "brakes " + Depot.askControl().length();
                response.submitResponse(
                        AsyncResponseBuilder.create(200).setEntity(body).build(), context);
            } catch (IOException | HttpException e) {
                System.err.println("no test: " + e);
            }
        });
    }
}
