package plimsoll.gateway.reactive;

import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** A {@link TurnsServletRequest} as WebFlux has it: more of the body is asked for in turn. */
final class TurnsServerRequest extends ServerHttpRequestDecorator {

    private final Turns turns;

    TurnsServerRequest(ServerHttpRequest request) {
        super(request);
        TurnsServletRequest servletRequest = getNativeRequest(request);
        this.turns = servletRequest.turns();
    }

    @Override
    public Flux<DataBuffer> getBody() {
        return super.getBody()
                .transform(
                        Operators.<DataBuffer, DataBuffer>liftPublisher((body, reader) -> new Reader(reader, turns)));
    }

    private record Reader(CoreSubscriber<? super DataBuffer> reader, Turns turns)
            implements CoreSubscriber<DataBuffer> {

        @Override
        public Context currentContext() {
            return reader.currentContext();
        }

        @Override
        public void onSubscribe(Subscription body) {
            reader.onSubscribe(new Subscription() {
                @Override
                public void request(long count) {
                    turns.take(() -> {
                        try {
                            body.request(count);
                        } catch (RuntimeException e) {
                            body.cancel();
                            reader.onError(e);
                        }
                    });
                }

                @Override
                public void cancel() {
                    body.cancel();
                }
            });
        }

        @Override
        public void onNext(DataBuffer data) {
            reader.onNext(data);
        }

        @Override
        public void onError(Throwable failure) {
            reader.onError(failure);
        }

        @Override
        public void onComplete() {
            reader.onComplete();
        }
    }
}
