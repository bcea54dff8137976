package plants;

import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;

/** A blocking call on event loops that have a name of their own. */
final class NamedLoops {
    public static void main(String[] arguments) {
        HttpServer.create()
                .port(Serve.PORT)
                .runOn(LoopResources.create("gateway", 2, true))
                .handle((request, response) -> {
                    var call = Mono.fromCallable(Upstream::read);
                    return response.sendString(
                            Boolean.getBoolean("offload") ? call.subscribeOn(Schedulers.boundedElastic()) : call);
                })
                .bindNow()
                .onDispose()
                .block();
    }
}
