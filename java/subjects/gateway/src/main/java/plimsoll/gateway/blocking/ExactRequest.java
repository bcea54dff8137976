package plimsoll.gateway.blocking;

import java.io.IOException;
import java.io.OutputStream;
import org.apache.hc.client5.http.classic.ExecChain;
import org.apache.hc.client5.http.classic.ExecChainHandler;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.io.entity.HttpEntityWrapper;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;
import org.apache.hc.core5.http.io.entity.NullEntity;
import plimsoll.gateway.call.CallRequest;

/** Puts the call's URL, headers and body in the place of what Feign made of them; for HttpClient 5. */
final class ExactRequest implements ExecChainHandler {

    @Override
    public ClassicHttpResponse execute(ClassicHttpRequest request, ExecChain.Scope scope, ExecChain chain)
            throws IOException, HttpException {
        var call = OutboundCall.current();
        request.setUri(call.request().target());
        request.setHeaders();
        addHeaders(request, call.request());
        request.setEntity(entity(call));
        return chain.proceed(request, scope);
    }

    private static void addHeaders(ClassicHttpRequest request, CallRequest outbound) {
        outbound.headers().forEach((name, values) -> {
            // HttpClient sets the length from the entity, and does not want to be told.
            if (!name.equalsIgnoreCase(HttpHeaders.CONTENT_LENGTH)) {
                values.forEach(value -> request.addHeader(name, value));
            }
        });
    }

    private static HttpEntity entity(OutboundCall call) {
        var length = call.request().contentLength();
        if (call.request().hasBody()) {
            return new HttpEntityWrapper(new InputStreamEntity(call.body(), length, null)) {
                @Override
                public void writeTo(OutputStream upstream) throws IOException {
                    call.writeBody(upstream);
                }
            };
        }
        // With methods that expect none, a body of length 0 is as good as none.
        return length == 0 && !Method.isSafe(call.request().method().name()) ? NullEntity.INSTANCE : null;
    }
}
