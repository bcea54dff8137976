package cinema.trailers;

import java.io.IOException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.http.io.entity.EntityUtils;

class Portal {
    private final CloseableHttpClient client;
    private final String address;

    Portal(String address) {
        this.address = address;
        var connections = new PoolingHttpClientConnectionManager();
        connections.setMaxTotal(200);
        var perRoute = Integer.getInteger("portal.connections-per-route");
        if (perRoute != null) {
            connections.setDefaultMaxPerRoute(perRoute);
        }
        client = HttpClients.custom().setConnectionManager(connections).build();
    }

    String link(String film) throws IOException {
        return client.execute(
                new HttpGet(address + "/trailers/" + film), response -> EntityUtils.toString(response.getEntity()));
    }
}
