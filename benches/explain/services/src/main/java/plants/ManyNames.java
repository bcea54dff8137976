package plants;

import java.net.InetAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/** OkHttp that keeps no connection, and an upstream with a name for each tenant, if there are tenants. */
final class ManyNames {
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    public static void main(String[] arguments) throws Exception {
        int tenants = Integer.getInteger("tenants", 0);
        var client = new OkHttpClient.Builder()
                .connectionPool(new ConnectionPool(Integer.getInteger("idle", 0), 10, TimeUnit.SECONDS))
                .dns(name -> java.util.List.of(InetAddress.getAllByName(name)))
                .build();
        Serve.jetty(path -> {
            var url = Upstream.URL.toString();
            if (tenants > 0) {
                url = url.replace("http://", "http://t" + REQUESTS.incrementAndGet() % tenants + ".");
            }
            try (var response =
                    client.newCall(new Request.Builder().url(url).build()).execute()) {
                return response.body().string();
            }
        });
    }
}
