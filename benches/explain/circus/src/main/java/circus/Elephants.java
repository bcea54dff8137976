package circus;

import java.util.concurrent.Executors;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Fodder for elephants, ordered by forty threads through a client whose connections to a host are few. */
final class Elephants {
    public static void main(String[] arguments) throws Exception {
        var connections = PoolingHttpClientConnectionManagerBuilder.create()
                .setMaxConnTotal(200)
                .setMaxConnPerRoute(Integer.getInteger("fodder.connections", 5))
                .build();
        var client = HttpClients.custom().setConnectionManager(connections).build();
        var buyers = Executors.newFixedThreadPool(40);
        Circus.jdk(Executors.newFixedThreadPool(100), () -> {
            var order = buyers.submit(() ->
                    client.execute(new HttpGet(Circus.OFFICE), response -> EntityUtils.toString(response.getEntity())));
            return "hay " + order.get().length();
        });
    }
}
