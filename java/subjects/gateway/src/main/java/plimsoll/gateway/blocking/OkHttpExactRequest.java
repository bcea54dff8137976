package plimsoll.gateway.blocking;

import java.io.IOException;
import java.net.ProtocolException;
import okhttp3.Headers;
import okhttp3.Interceptor;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;
import org.springframework.http.HttpHeaders;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallRequest;
import plimsoll.gateway.call.HeaderText;
import plimsoll.gateway.call.Reason;

/**
 * Puts the call's URL, headers and body in the place of what Feign made of them; for OkHttp.
 */
final class OkHttpExactRequest implements Interceptor {

    private static final String NO_ENCODING = "identity";
    private static final long UNKNOWN_LENGTH = -1;

    @Override
    public Response intercept(Chain chain) throws IOException {
        var call = OutboundCall.current();
        call.onCancel(chain.call()::cancel);
        var request = call.request();
        var exact = new Request.Builder()
                .url(request.target().toString())
                .headers(headers(request))
                .method(request.method().name(), body(call))
                .build();
        var response = chain.proceed(exact);
        return response.newBuilder().headers(asLatin1(response.headers())).build();
    }

    private static Headers headers(CallRequest request) {
        var headers = new Headers.Builder();
        request.headers()
                .forEach((name, values) ->
                        values.forEach(value -> headers.addUnsafeNonAscii(name, HeaderText.fromBytes(value))));
        if (!request.headers().containsHeader(HttpHeaders.ACCEPT_ENCODING)) {
            // Else OkHttp asks for gzip, and unpacks it.
            headers.add(HttpHeaders.ACCEPT_ENCODING, NO_ENCODING);
        }
        return headers.build();
    }

    /** Takes the encoding away again that only kept OkHttp from asking for another. */
    static Response withoutAddedEncoding(Chain chain) throws IOException {
        var asked = OutboundCall.current().request().headers().containsHeader(HttpHeaders.ACCEPT_ENCODING);
        var request = chain.request();
        return chain.proceed(
                asked
                        ? request
                        : request.newBuilder()
                                .removeHeader(HttpHeaders.ACCEPT_ENCODING)
                                .build());
    }

    /** OkHttp takes a negative length as it comes, fails when it is to close such a body, and never lets go of its connection. */
    static Response withoutNegativeLength(Chain chain) throws IOException {
        var response = chain.proceed(chain.request());
        if (response.body().contentLength() < UNKNOWN_LENGTH) {
            throw new ProtocolException(
                    "the answer has a length of " + response.body().contentLength() + " bytes");
        }
        return response;
    }

    private static RequestBody body(OutboundCall call) {
        var method = call.request().method().name();
        if (!call.request().hasBody()) {
            return switch (method) {
                case "POST", "PUT", "PATCH", "PROPPATCH", "REPORT" -> RequestBody.create(new byte[0], null);
                default -> null;
            };
        }
        if (method.equals("GET") || method.equals("HEAD")) {
            throw new CallFailure(Reason.NOT_SUPPORTED, "OkHttp cannot send " + method + " with a body");
        }
        return new CallBody(call);
    }

    private static Headers asLatin1(Headers headers) {
        var latin1 = new Headers.Builder();
        for (var i = 0; i < headers.size(); i++) {
            latin1.addUnsafeNonAscii(headers.name(i), HeaderText.toBytes(headers.value(i)));
        }
        return latin1.build();
    }

    private static final class CallBody extends RequestBody {

        private final OutboundCall call;

        CallBody(OutboundCall call) {
            this.call = call;
        }

        @Override
        public MediaType contentType() {
            return null;
        }

        @Override
        public long contentLength() {
            return call.request().contentLength();
        }

        @Override
        public boolean isOneShot() {
            return true;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            call.writeBody(sink.outputStream());
        }
    }
}
