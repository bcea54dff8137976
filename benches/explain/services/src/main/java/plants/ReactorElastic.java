package plants;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServer;

/** Blocking calls that Reactor Netty's event loops hand to a scheduler of few threads. */
final class ReactorElastic {
    public static void main(String[] arguments) {
        var scheduler = Schedulers.newBoundedElastic(Integer.getInteger("threads", 5), 100_000, "reports");
        HttpServer.create()
                .port(Serve.PORT)
                .handle((request, response) ->
                        response.sendString(Mono.fromCallable(Upstream::read).subscribeOn(scheduler)))
                .bindNow()
                .onDispose()
                .block();
    }
}
