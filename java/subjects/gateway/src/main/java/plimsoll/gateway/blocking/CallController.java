package plimsoll.gateway.blocking;

import static org.springframework.web.bind.annotation.RequestMethod.DELETE;
import static org.springframework.web.bind.annotation.RequestMethod.GET;
import static org.springframework.web.bind.annotation.RequestMethod.HEAD;
import static org.springframework.web.bind.annotation.RequestMethod.OPTIONS;
import static org.springframework.web.bind.annotation.RequestMethod.PATCH;
import static org.springframework.web.bind.annotation.RequestMethod.POST;
import static org.springframework.web.bind.annotation.RequestMethod.PUT;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Collections;
import org.apache.coyote.CloseNowException;
import org.springframework.context.annotation.Profile;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallMetrics;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.Failures;
import plimsoll.gateway.call.ForwardedHeaders.Caller;

/** {@code /call} by a client that blocks the thread of the request. */
@RestController
@Profile("!webclient")
class CallController {

    private final CallRequests requests;
    private final RestTemplateCalls calls;
    private final CallMetrics metrics;

    CallController(CallRequests requests, RestTemplateCalls calls, CallMetrics metrics) {
        this.requests = requests;
        this.calls = calls;
        this.metrics = metrics;
    }

    @RequestMapping(
            path = "/call",
            method = {GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS})
    void call(HttpServletRequest request, HttpServletResponse response) throws IOException {
        var caller = new Caller(request.getRemoteAddr(), request.getScheme(), request.getHeader(HttpHeaders.HOST));
        var outbound = requests.read(request.getMethod(), request.getQueryString(), headers(request), caller);
        var running = metrics.begin();
        try {
            running.answered(calls.call(outbound, request.getInputStream(), response));
        } catch (IOException | RuntimeException | StackOverflowError e) {
            if (isCallerGone(e)) {
                running.end(CallMetrics.CALLER_GONE);
                throw new CloseNowException("the caller is gone");
            }
            var failure = Failures.of(e);
            running.end(failure.reason().word());
            throw refused(failure, response);
        }
    }

    private static HttpHeaders headers(HttpServletRequest request) {
        var headers = new HttpHeaders();
        for (var name : Collections.list(request.getHeaderNames())) {
            headers.addAll(name, Collections.list(request.getHeaders(name)));
        }
        return headers;
    }

    private static boolean isCallerGone(Throwable thrown) {
        return thrown != null && (thrown instanceof CallerGoneException || isCallerGone(thrown.getCause()));
    }

    /** An answer that the caller has read a part of can only be cut off, so that the part is not taken for the whole. */
    private static CallFailure refused(CallFailure failure, HttpServletResponse response) throws CloseNowException {
        if (response.isCommitted()) {
            throw new CloseNowException(
                    "the answer was cut off: " + failure.reason().word());
        }
        response.reset();
        return failure;
    }
}
