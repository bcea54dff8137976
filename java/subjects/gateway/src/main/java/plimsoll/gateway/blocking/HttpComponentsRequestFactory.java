package plimsoll.gateway.blocking;

import java.net.URI;
import org.apache.hc.client5.http.classic.HttpClient;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.springframework.http.HttpMethod;
import org.springframework.http.client.HttpComponentsClientHttpRequestFactory;

/** Spring's factory, for methods that it does not know too. */
final class HttpComponentsRequestFactory extends HttpComponentsClientHttpRequestFactory {

    HttpComponentsRequestFactory(HttpClient client) {
        super(client);
    }

    @Override
    protected ClassicHttpRequest createHttpUriRequest(HttpMethod httpMethod, URI uri) {
        return new HttpUriRequestBase(httpMethod.name(), uri);
    }
}
