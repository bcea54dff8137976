package plimsoll.gateway.blocking;

import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.StreamingHttpOutputMessage.Body;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.Failures;
import plimsoll.gateway.call.Reason;

/** Calls by {@code RestClient} on the JDK's {@code HttpClient}. */
final class RestClientClient implements BlockingClient {

    private final HttpClient.Builder builder;
    private final Duration answer;
    // Guarded by this.
    private Client client;

    /** With a limit on how long the upstream may be silent: the JDK's client has none. */
    RestClientClient(HttpClient.Builder builder, Duration answer) {
        this.builder = builder;
        this.answer = answer;
        this.client = new Client(builder.build());
    }

    @Override
    public void call(OutboundCall call, AnswerConsumer consumer) throws IOException {
        refuseWhatCannotBeSent(call.request().headers());
        var used = take();
        var isUnreadable = false;
        try (var interruption = new Interruption()) {
            call.onCancel(interruption::interrupt);
            call.limitSilence(answer);
            prepare(used.rest, call).exchange((request, response) -> {
                pass(response, consumer);
                return response.getStatusCode();
            });
        } catch (IOException | RuntimeException e) {
            isUnreadable = Failures.of(e).reason() == Reason.PROTOCOL;
            throw e;
        } finally {
            giveBack(used, isUnreadable);
        }
    }

    /**
     * The JDK's client never closes a connection whose answer has a head that it cannot read, unless with all others when it is shut
     * down. So after such an answer it is replaced, and the last call that uses it shuts it down.
     */
    private static final class Client {

        private final HttpClient http;
        private final RestClient rest;
        private int users;

        Client(HttpClient http) {
            var factory = new JdkClientHttpRequestFactory(http);
            factory.enableCompression(false);
            this.http = http;
            this.rest = RestClient.builder().requestFactory(factory).build();
        }
    }

    private synchronized Client take() {
        client.users++;
        return client;
    }

    private synchronized void giveBack(Client used, boolean isUnreadable) {
        used.users--;
        if (isUnreadable && used == client) {
            client = new Client(builder.build());
        }
        if (used != client && used.users == 0) {
            used.http.shutdown();
        }
    }

    /** Closes the body of an answer that failed: Spring would read the rest of it, and leave it open if that fails, too. */
    private static void pass(ClientHttpResponse response, AnswerConsumer consumer) throws IOException {
        var body = response.getBody();
        try {
            consumer.accept(response.getStatusCode().value(), response.getHeaders(), body);
        } catch (IOException | RuntimeException e) {
            body.close();
            throw e;
        }
    }

    private static RestClient.RequestHeadersSpec<?> prepare(RestClient restClient, OutboundCall call)
            throws IOException {
        var request = call.request();
        var spec = restClient
                .method(request.method())
                .uri(request.target())
                .headers(headers -> headers.putAll(request.headers()));
        return hasBody(call) ? spec.body((Body) call::writeBody) : spec;
    }

    /** Not if its chunks turn out to be none: their end may come before the JDK's client is ready for it, which then fails. */
    private static boolean hasBody(OutboundCall call) throws IOException {
        var request = call.request();
        return request.hasBody() && (request.contentLength() >= 0 || !call.hasEmptyBody());
    }

    /** It would send question marks instead. */
    private static void refuseWhatCannotBeSent(HttpHeaders headers) {
        var ascii = StandardCharsets.US_ASCII.newEncoder();
        headers.forEach((name, values) -> {
            if (!values.stream().allMatch(ascii::canEncode)) {
                throw new CallFailure(
                        Reason.NOT_SUPPORTED,
                        "the JDK's HttpClient cannot send what is not ASCII in a header, as in " + name);
            }
        });
    }

    /** Interrupts the thread that made it, but not after it was closed. The JDK's client gives up when its thread is interrupted. */
    private static final class Interruption implements AutoCloseable {

        private final Thread thread = Thread.currentThread();
        private boolean closed;

        synchronized void interrupt() {
            if (!closed) {
                thread.interrupt();
            }
        }

        @Override
        public synchronized void close() {
            closed = true;
            Thread.interrupted();
        }
    }
}
