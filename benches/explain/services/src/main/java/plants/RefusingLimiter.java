package plants;

import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** A rate limiter of Resilience4j that refuses what is beyond it at once, instead of letting it wait. */
final class RefusingLimiter {
    private static final RateLimiter LIMITER = RateLimiter.of(
            "orders",
            RateLimiterConfig.custom()
                    .limitRefreshPeriod(Duration.ofMillis(100))
                    .limitForPeriod(Math.max(1, Integer.getInteger("per-second", 150) / 10))
                    .timeoutDuration(Duration.ZERO)
                    .build());

    public static void main(String[] arguments) throws Exception {
        var server = new Server(new QueuedThreadPool(Serve.ROOM));
        var connector = new ServerConnector(server);
        connector.setPort(Serve.PORT);
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) throws Exception {
                if (LIMITER.acquirePermission()) {
                    Content.Sink.write(response, true, Upstream.call(), callback);
                } else {
                    Response.writeError(request, response, callback, 429, "come back later");
                }
                return true;
            }
        });
        server.start();
    }
}
