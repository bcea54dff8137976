package plimsoll.gateway.reactive;

import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.client.ClientResponse;
import plimsoll.gateway.call.CallTrace;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** An answer while its connection is held. Its body must be taken or dropped. */
final class ReactiveAnswer {

    private final CallTrace trace;
    private final ClientResponse response;
    private final AtomicBoolean whole = new AtomicBoolean();

    ReactiveAnswer(CallTrace trace, ClientResponse response) {
        this.trace = trace;
        this.response = response;
    }

    CallTrace trace() {
        return trace;
    }

    int status() {
        return response.statusCode().value();
    }

    HttpHeaders headers() {
        return response.headers().asHttpHeaders();
    }

    Flux<DataBuffer> body() {
        return response.body(BodyExtractors.toDataBuffers()).doOnComplete(() -> whole.set(true));
    }

    Mono<Void> dropBody() {
        return response.releaseBody().doOnSuccess(done -> whole.set(true));
    }

    /** Whether all of it has come. */
    boolean isWhole() {
        return whole.get();
    }
}
