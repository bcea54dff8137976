package plimsoll.gateway.blocking;

import java.io.IOException;
import java.util.function.BiConsumer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.http.client.ClientHttpRequest;
import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.ResponseErrorHandler;
import org.springframework.web.client.RestTemplate;
import plimsoll.gateway.call.CallRequest;

/** Calls by {@code RestTemplate}, on whatever its request factory stands for. */
final class RestTemplateClient implements BlockingClient {

    private final RestTemplate restTemplate;

    private final BiConsumer<CallRequest, HttpHeaders> headers;

    RestTemplateClient(ClientHttpRequestFactory factory) {
        this(factory, (request, headers) -> headers.putAll(request.headers()));
    }

    /** With another way to set the headers of a request. */
    RestTemplateClient(ClientHttpRequestFactory factory, BiConsumer<CallRequest, HttpHeaders> headers) {
        this.headers = headers;
        this.restTemplate = new RestTemplate(factory);
        restTemplate.setErrorHandler(new EveryStatusIsAnAnswer());
    }

    @Override
    public void call(OutboundCall call, AnswerConsumer consumer) {
        var request = call.request();
        restTemplate.execute(request.target(), request.method(), outgoing -> prepare(outgoing, call), answer -> {
            consumer.accept(answer.getStatusCode().value(), answer.getHeaders(), answer.getBody());
            return null;
        });
    }

    private void prepare(ClientHttpRequest outgoing, OutboundCall call) {
        headers.accept(call.request(), outgoing.getHeaders());
        if (call.request().hasBody()) {
            ((StreamingHttpOutputMessage) outgoing).setBody(call::writeBody);
        }
    }

    private static final class EveryStatusIsAnAnswer implements ResponseErrorHandler {

        @Override
        public boolean hasError(ClientHttpResponse response) throws IOException {
            return false;
        }
    }
}
