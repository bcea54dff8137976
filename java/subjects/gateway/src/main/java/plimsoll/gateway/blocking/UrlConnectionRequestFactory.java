package plimsoll.gateway.blocking;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import org.springframework.http.client.SimpleClientHttpRequestFactory;

/** RestTemplate's default, on {@code HttpURLConnection}, without following redirects and without inventing bodies. */
final class UrlConnectionRequestFactory extends SimpleClientHttpRequestFactory {

    private final UrlConnections connections;

    UrlConnectionRequestFactory(UrlConnections connections) {
        this.connections = connections;
    }

    @Override
    protected HttpURLConnection openConnection(URL url, Proxy proxy) throws IOException {
        return connections.open(url);
    }

    @Override
    protected void prepareConnection(HttpURLConnection connection, String httpMethod) throws IOException {
        super.prepareConnection(connection, httpMethod);
        connection.setInstanceFollowRedirects(false);
        connection.setDoOutput(OutboundCall.current().request().hasBody());
    }
}
