package plants;

import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Apache HttpClient 5 with its own default of 5 connections per route. */
final class ApachePool {
    public static void main(String[] arguments) throws Exception {
        int perRoute = Integer.getInteger("per-route", 5);
        var client = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setMaxConnPerRoute(perRoute)
                        .setMaxConnTotal(Math.max(25, perRoute))
                        .build())
                .build();
        Serve.tomcat(path ->
                client.execute(new HttpGet(Upstream.URL), response -> EntityUtils.toString(response.getEntity())));
    }
}
