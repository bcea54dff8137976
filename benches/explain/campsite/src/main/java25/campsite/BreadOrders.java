package campsite;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;

/** Orders of bread for the morning, on Jetty, none of whose threads waits; limited by the common pool, which asks. */
final class BreadOrders extends Handler.Abstract.NonBlocking {
    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        CompletableFuture.supplyAsync(() -> Office.ask("/bakery/orders"))
                .thenApply(order -> "rolls ordered, " + order.length())
                .whenComplete((text, failure) -> {
                    if (failure == null) {
                        response.write(true, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), callback);
                    } else {
                        callback.failed(failure);
                    }
                });
        return true;
    }

    public static void main(String[] arguments) throws Exception {
        var server = new Server(new InetSocketAddress("127.0.0.1", Office.PORT));
        server.setHandler(new BreadOrders());
        server.start();
    }
}
