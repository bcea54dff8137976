package plimsoll.gateway.blocking;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.Proxy;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import plimsoll.gateway.GatewayProperties.Timeouts;

/** RestTemplate's default, on {@code HttpURLConnection}, without proxies and redirects. */
final class SimpleRequestFactory extends SimpleClientHttpRequestFactory {

    private final SSLSocketFactory sockets;

    SimpleRequestFactory(Timeouts timeouts, SSLSocketFactory sockets) {
        this.sockets = sockets;
        setConnectTimeout(timeouts.connect());
        setReadTimeout(timeouts.answer());
        setProxy(Proxy.NO_PROXY);
    }

    @Override
    protected void prepareConnection(HttpURLConnection connection, String httpMethod) throws IOException {
        super.prepareConnection(connection, httpMethod);
        connection.setInstanceFollowRedirects(false);
        if (connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(sockets);
        }
        CallDeadline.abortedBy(connection::disconnect);
    }
}
