package plimsoll.gateway.reactive;

import java.net.InetSocketAddress;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebHandler;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallRequest;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.ForwardedHeaders;
import plimsoll.gateway.call.ForwardedHeaders.Caller;
import plimsoll.gateway.call.Problem;
import plimsoll.gateway.call.Reason;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** {@code /call} for WebClient: no thread waits, on either server, and bodies are asked for as they can be passed on. */
final class CallHandler implements WebHandler {

    static final String PATH = "/call";

    private final CallRequests requests;
    private final ReactiveCalls calls;
    private final GatewayProperties properties;

    CallHandler(CallRequests requests, ReactiveCalls calls, GatewayProperties properties) {
        this.requests = requests;
        this.calls = calls;
        this.properties = properties;
    }

    @Override
    public Mono<Void> handle(ServerWebExchange exchange) {
        var response = exchange.getResponse();
        if (!exchange.getRequest().getPath().value().equals(PATH)) {
            response.setStatusCode(HttpStatus.NOT_FOUND);
            return response.setComplete();
        }
        return Mono.defer(() -> {
                    var request = exchange.getRequest();
                    var outbound = read(request);
                    return calls.make(
                            outbound,
                            request.getBody(),
                            properties.timeouts().total(),
                            answer -> answer(outbound, answer, response));
                })
                .onErrorResume(CallFailure.class, failure -> refuse(failure, response));
    }

    private CallRequest read(ServerHttpRequest request) {
        var headers = request.getHeaders();
        var caller = new Caller(
                address(request.getRemoteAddress()), request.getURI().getScheme(), headers.getFirst(HttpHeaders.HOST));
        return requests.read(request.getMethod().name(), request.getURI().getRawQuery(), headers, caller);
    }

    private static String address(InetSocketAddress remote) {
        return remote == null ? "unknown" : remote.getAddress().getHostAddress();
    }

    private Mono<Void> answer(CallRequest request, ReactiveAnswer answer, ServerHttpResponse response) {
        var status = answer.status();
        response.setStatusCode(HttpStatusCode.valueOf(status));
        var headers = ForwardedHeaders.toCaller(status, answer.headers());
        response.getHeaders().putAll(headers);
        if (properties.serverTiming()) {
            response.getHeaders().add("Server-Timing", answer.trace().serverTiming());
        }
        if (request.method() == HttpMethod.HEAD || status == 204 || status == 304) {
            return answer.dropBody().then(response.setComplete());
        }
        // Each piece is passed on as it comes. The body may never end; and what Tomcat has not sent yet would become a
        // 500 if the rest does not come.
        return response.writeAndFlushWith(answer.body().map(Flux::just));
    }

    /**
     * Without the failure itself as its cause: Spring would take an upstream's reset for one by the caller, and end the answer as if it
     * were whole.
     */
    private static final class CutOffException extends RuntimeException {

        private static final long serialVersionUID = 1;

        CutOffException(Reason reason) {
            super("the answer was cut off: " + reason.word(), null, false, false);
        }
    }

    /** What the caller has read a part of can only be cut off, so that it does not take the part for the whole. */
    private static Mono<Void> refuse(CallFailure failure, ServerHttpResponse response) {
        if (response.isCommitted()) {
            return Mono.error(new CutOffException(failure.reason()));
        }
        var problem = Problem.of(failure).json();
        response.setStatusCode(HttpStatusCode.valueOf(failure.reason().status()));
        response.getHeaders().clear();
        response.getHeaders().set(HttpHeaders.CONTENT_TYPE, Problem.MEDIA_TYPE);
        response.getHeaders().setContentLength(problem.length);
        return response.writeWith(
                Mono.fromSupplier(() -> response.bufferFactory().wrap(problem)));
    }
}
