package plants;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServer;

/** A blocking call on Reactor Netty's event loop. */
final class ReactorBlocked {
    public static void main(String[] arguments) {
        HttpServer.create()
                .port(Serve.PORT)
                .handle((request, response) -> {
                    var call = Mono.fromCallable(Upstream::call);
                    return response.sendString(
                            Boolean.getBoolean("offload") ? call.subscribeOn(Schedulers.boundedElastic()) : call);
                })
                .bindNow()
                .onDispose()
                .block();
    }
}
