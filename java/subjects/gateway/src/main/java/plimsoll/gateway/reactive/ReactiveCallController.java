package plimsoll.gateway.reactive;

import static org.springframework.web.bind.annotation.RequestMethod.DELETE;
import static org.springframework.web.bind.annotation.RequestMethod.GET;
import static org.springframework.web.bind.annotation.RequestMethod.HEAD;
import static org.springframework.web.bind.annotation.RequestMethod.OPTIONS;
import static org.springframework.web.bind.annotation.RequestMethod.PATCH;
import static org.springframework.web.bind.annotation.RequestMethod.POST;
import static org.springframework.web.bind.annotation.RequestMethod.PUT;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.BodyExtractors;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallMetrics;
import plimsoll.gateway.call.CallRequest;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.Failures;
import plimsoll.gateway.call.ForwardedHeaders;
import plimsoll.gateway.call.ForwardedHeaders.Caller;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code /call} by WebClient: no thread waits, and bodies are asked for as they can be passed on. */
@RestController
@Profile("webclient")
class ReactiveCallController {

    /** Between taking a response and sending its head, which nobody can wait for; an answer that has begun is cut off that much later. */
    private static final Duration HEAD_GOES_OUT = Duration.ofSeconds(1);

    private final CallRequests requests;
    private final WebClient webClient;
    private final CallMetrics metrics;
    private final Duration total;

    ReactiveCallController(
            CallRequests requests, WebClient webClient, CallMetrics metrics, GatewayProperties properties) {
        this.requests = requests;
        this.webClient = webClient;
        this.metrics = metrics;
        this.total = properties.timeouts().total();
    }

    @RequestMapping(
            path = "/call",
            method = {GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS})
    Mono<Void> call(ServerHttpRequest request, ServerHttpResponse response) {
        var outbound = read(request);
        var running = metrics.begin();
        var isTaken = new AtomicBoolean();
        return send(outbound, request)
                .exchangeToMono(answer -> passOn(outbound, answer, response, isTaken))
                .timeout(timeIsUp(isTaken))
                .onErrorMap(Failures::of)
                .doOnSuccess(status -> running.answered(status))
                .doOnError(
                        CallFailure.class,
                        failure -> running.end(failure.reason().word()))
                .doOnCancel(() -> running.end(CallMetrics.CALLER_GONE))
                .onErrorMap(CallFailure.class, failure -> refused(failure, response))
                .then();
    }

    private CallRequest read(ServerHttpRequest request) {
        var headers = request.getHeaders();
        var remote = request.getRemoteAddress();
        var address = remote == null ? "unknown" : remote.getAddress().getHostAddress();
        var caller = new Caller(address, request.getURI().getScheme(), headers.getFirst(HttpHeaders.HOST));
        return requests.read(request.getMethod().name(), request.getURI().getRawQuery(), headers, caller);
    }

    private WebClient.RequestHeadersSpec<?> send(CallRequest outbound, ServerHttpRequest request) {
        var spec = webClient
                .method(outbound.method())
                .uri(outbound.target())
                .headers(headers -> headers.putAll(outbound.headers()));
        return outbound.hasBody() ? spec.body(BodyInserters.fromDataBuffers(request.getBody())) : spec;
    }

    /** The response is the upstream's answer or tells of the time-out, whichever takes it first: they come by different threads. */
    private Mono<Long> timeIsUp(AtomicBoolean isTaken) {
        return Mono.delay(total)
                .flatMap(now -> isTaken.compareAndSet(false, true) ? Mono.just(now) : Mono.delay(HEAD_GOES_OUT));
    }

    private static Mono<Integer> passOn(
            CallRequest request, ClientResponse answer, ServerHttpResponse response, AtomicBoolean isTaken) {
        var status = answer.statusCode().value();
        if (request.method() == HttpMethod.HEAD || status == 204 || status == 304) {
            return answer.releaseBody()
                    .then(Mono.defer(() -> takes(answer, response, isTaken) ? response.setComplete() : Mono.never()))
                    .thenReturn(status);
        }
        // Each piece is passed on as it comes, since the body may never end.
        var body = answer.body(BodyExtractors.toDataBuffers())
                .switchOnFirst((first, pieces) ->
                        first.isOnError() || takes(answer, response, isTaken) ? pieces : Flux.never())
                .map(Flux::just);
        return response.writeAndFlushWith(body).thenReturn(status);
    }

    private static boolean takes(ClientResponse answer, ServerHttpResponse response, AtomicBoolean isTaken) {
        var takes = isTaken.compareAndSet(false, true);
        if (takes) {
            response.setStatusCode(answer.statusCode());
            var headers = answer.headers().asHttpHeaders();
            response.getHeaders()
                    .putAll(ForwardedHeaders.toCaller(answer.statusCode().value(), headers));
        }
        return takes;
    }

    /** An answer that the caller has read a part of can only be cut off, so that the part is not taken for the whole. */
    private static Throwable refused(CallFailure failure, ServerHttpResponse response) {
        if (response.isCommitted()) {
            return new CutOffException(failure);
        }
        response.getHeaders().clear();
        return failure;
    }

    /** Without the failure's words: Spring would take an upstream's reset for the caller's, and end the answer well. */
    private static final class CutOffException extends RuntimeException {

        private static final long serialVersionUID = 1;

        CutOffException(CallFailure failure) {
            super("the answer was cut off: " + failure.reason().word(), null, false, false);
        }
    }
}
