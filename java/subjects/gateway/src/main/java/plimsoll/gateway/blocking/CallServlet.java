package plimsoll.gateway.blocking;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import org.apache.coyote.CloseNowException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.CallerGoneException;
import plimsoll.gateway.call.ForwardedHeaders;
import plimsoll.gateway.call.ForwardedHeaders.Caller;
import plimsoll.gateway.call.Problem;

/**
 * {@code /call} for the blocking clients. A servlet of its own and no controller: Spring MVC would answer some {@code OPTIONS} requests
 * itself.
 */
final class CallServlet extends HttpServlet {

    private static final long serialVersionUID = 1;

    private final transient CallRequests requests;
    private final transient BlockingCalls calls;
    private final transient GatewayProperties properties;

    CallServlet(CallRequests requests, BlockingCalls calls, GatewayProperties properties) {
        this.requests = requests;
        this.calls = calls;
        this.properties = properties;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            var caller = new Caller(request.getRemoteAddr(), request.getScheme(), request.getHeader(HttpHeaders.HOST));
            var outbound = requests.read(request.getMethod(), request.getQueryString(), headers(request), caller);
            calls.make(
                    outbound,
                    request.getInputStream(),
                    properties.timeouts().total(),
                    call -> (status, headers, body) -> answer(call, status, headers, body, response));
        } catch (CallFailure failure) {
            refuse(failure, response);
        } catch (CallerGoneException gone) {
            throw new CloseNowException(gone);
        }
    }

    private void answer(
            OutboundCall call, int status, HttpHeaders headers, InputStream body, HttpServletResponse response)
            throws IOException {
        response.setStatus(status);
        var passedOn = ForwardedHeaders.toCaller(status, headers);
        passedOn.forEach((name, values) -> values.forEach(value -> response.addHeader(name, value)));
        if (properties.serverTiming()) {
            response.addHeader("Server-Timing", call.trace().serverTiming());
        }
        if (body != null && call.request().method() != HttpMethod.HEAD) {
            var length = passedOn.getContentLength();
            if (length < 0 && body.available() == 0) {
                // The body may be a long time coming.
                response.flushBuffer();
            }
            call.passOn(body, response.getOutputStream(), length);
        }
    }

    private static HttpHeaders headers(HttpServletRequest request) {
        var headers = new HttpHeaders();
        for (var name : Collections.list(request.getHeaderNames())) {
            headers.addAll(name, Collections.list(request.getHeaders(name)));
        }
        return headers;
    }

    /** What the caller has read a part of can only be cut off, so that it does not take the part for the whole. */
    private static void refuse(CallFailure failure, HttpServletResponse response) throws IOException {
        if (response.isCommitted()) {
            throw new CloseNowException(failure);
        }
        response.reset();
        var problem = Problem.of(failure).json();
        response.setStatus(failure.reason().status());
        response.setContentType(Problem.MEDIA_TYPE);
        response.setContentLength(problem.length);
        response.getOutputStream().write(problem);
    }
}
