package plimsoll.gateway.blocking;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.StreamingHttpOutputMessage.Body;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.Reason;

/** Calls by {@code RestClient} on the JDK's {@code HttpClient}. */
final class RestClientClient implements BlockingClient {

    private final RestClient restClient;
    private final Duration answer;

    /** With a limit on how long the upstream may be silent: the JDK's client has none. */
    RestClientClient(java.net.http.HttpClient client, Duration answer) {
        var factory = new JdkClientHttpRequestFactory(client);
        factory.enableCompression(false);
        this.restClient = RestClient.builder().requestFactory(factory).build();
        this.answer = answer;
    }

    @Override
    public void call(OutboundCall call, AnswerConsumer consumer) throws IOException {
        refuseWhatCannotBeSent(call.request().headers());
        try (var interruption = new Interruption()) {
            call.onCancel(interruption::interrupt);
            call.limitSilence(answer);
            prepare(call).exchange((request, response) -> {
                consumer.accept(response.getStatusCode().value(), response.getHeaders(), response.getBody());
                return response.getStatusCode();
            });
        }
    }

    private RestClient.RequestHeadersSpec<?> prepare(OutboundCall call) throws IOException {
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
