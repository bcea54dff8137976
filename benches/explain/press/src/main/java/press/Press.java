package press;

import io.vertx.core.VertxOptions;
import org.apache.camel.builder.RouteBuilder;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServer;
import org.apache.camel.component.platform.http.vertx.VertxPlatformHttpServerConfiguration;
import org.apache.camel.impl.DefaultCamelContext;

/** The printing house: routes of Apache Camel behind its server on Vert.x, with room for many requests at once. */
final class Press {
    static final String MILL = System.getProperty("upstream", "http://127.0.0.1:9");

    private Press() {}

    static void open(RouteBuilder routes) throws Exception {
        open(200, routes);
    }

    static void open(int workers, RouteBuilder routes) throws Exception {
        var address = new VertxPlatformHttpServerConfiguration();
        address.setBindHost("127.0.0.1");
        address.setBindPort(Integer.getInteger("server.port", 8080));
        var camel = new DefaultCamelContext();
        camel.getRegistry().bind("vertx-options", new VertxOptions().setWorkerPoolSize(workers));
        camel.addService(new VertxPlatformHttpServer(address));
        camel.addRoutes(routes);
        camel.start();
    }

    /** The mill by Camel's client, with room for all. */
    static String mill(String path) {
        return MILL + path + "?bridgeEndpoint=true&connectionsPerRoute=400&maxTotalConnections=400";
    }
}
