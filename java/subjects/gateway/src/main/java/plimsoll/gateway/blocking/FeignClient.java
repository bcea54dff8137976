package plimsoll.gateway.blocking;

import feign.Client;
import feign.Feign;
import feign.Request.HttpMethod;
import feign.Request.Options;
import feign.RequestTemplate;
import feign.Response;
import feign.Retryer;
import feign.Target.EmptyTarget;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.springframework.http.HttpHeaders;
import plimsoll.gateway.GatewayProperties.Timeouts;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.Reason;

/**
 * Calls by OpenFeign, on whatever its client stands for.
 *
 * <p>Feign's templates would change URLs and headers with braces, and hold bodies in memory. So only the method goes through
 * them; the clients below take URL, headers and body from the {@link OutboundCall} as they are.
 */
final class FeignClient implements BlockingClient {

    private final OutboundApi api;

    FeignClient(Client client, Timeouts timeouts) {
        this.api = Feign.builder()
                .client(client)
                .options(new Options(
                        timeouts.connect().toMillis(),
                        TimeUnit.MILLISECONDS,
                        timeouts.answer().toMillis(),
                        TimeUnit.MILLISECONDS,
                        false))
                .retryer(Retryer.NEVER_RETRY)
                .requestInterceptor(FeignClient::setMethod)
                .target(EmptyTarget.create(OutboundApi.class));
    }

    @Override
    public void call(OutboundCall call, AnswerConsumer consumer) throws IOException {
        try (var response = api.exchange(call.request().target())) {
            consumer.accept(response.status(), headers(response), body(response));
        }
    }

    private static void setMethod(RequestTemplate template) {
        var method = OutboundCall.current().request().method().name();
        var known = Arrays.stream(HttpMethod.values())
                .filter(value -> value.name().equals(method))
                .findAny()
                .orElseThrow(() -> new CallFailure(Reason.NOT_SUPPORTED, "Feign cannot send " + method));
        template.method(known);
    }

    private static HttpHeaders headers(Response response) {
        var headers = new HttpHeaders();
        response.headers().forEach((name, values) -> values.forEach(value -> headers.add(name, value)));
        return headers;
    }

    private static InputStream body(Response response) throws IOException {
        return response.body() == null
                ? InputStream.nullInputStream()
                : response.body().asInputStream();
    }
}
