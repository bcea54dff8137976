package plimsoll.gateway.reactive;

import java.io.UncheckedIOException;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.util.context.Context;

/** A {@link TurnsServletRequest} as WebFlux has it: its body is subscribed to, and more of it asked for, in turn. */
final class TurnsServerRequest extends ServerHttpRequestDecorator {

    private final Turns turns;

    TurnsServerRequest(ServerHttpRequest request) {
        super(request);
        TurnsServletRequest servletRequest = getNativeRequest(request);
        this.turns = servletRequest.turns();
    }

    @Override
    public Flux<DataBuffer> getBody() {
        var body = super.getBody();
        return new Flux<>() {
            @Override
            public void subscribe(CoreSubscriber<? super DataBuffer> reader) {
                turns.take(() -> body.subscribe(new Reader(reader, turns)));
            }
        };
    }

    private record Reader(CoreSubscriber<? super DataBuffer> reader, Turns turns)
            implements CoreSubscriber<DataBuffer> {

        @Override
        public Context currentContext() {
            return reader.currentContext();
        }

        @Override
        public void onSubscribe(Subscription body) {
            turns.whenOneFails(failure -> {
                body.cancel();
                reader.onError(failure instanceof UncheckedIOException io ? io.getCause() : failure);
            });
            reader.onSubscribe(new Subscription() {
                @Override
                public void request(long count) {
                    turns.take(() -> body.request(count));
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
