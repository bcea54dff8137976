package courier;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.grpc.Channel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Server;
import io.grpc.ServerBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Tracks parcels: a gRPC server on a small executor, and beside it a gateway for those who speak HTTP only. */
public final class Tracking {
    static final URI DEPOT = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    public static void main(String[] arguments) throws IOException {
        int threads = Integer.getInteger("tracking.executor.threads", 4);
        var server = ServerBuilder.forPort(0)
                .executor(Executors.newFixedThreadPool(threads))
                .addService(Wire.service(Tracking::ask))
                .build()
                .start();
        openGateway(channel(server));
    }

    static Channel channel(Server server) {
        return ManagedChannelBuilder.forAddress("127.0.0.1", server.getPort())
                .usePlaintext()
                .build();
    }

    static void openGateway(Channel parcels) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var gateway =
                HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.getInteger("server.port", 8080)), 500);
        gateway.setExecutor(Executors.newFixedThreadPool(150));
        gateway.createContext("/", exchange -> answer(exchange, parcels));
        gateway.start();
    }

    private static void answer(HttpExchange exchange, Channel parcels) throws IOException {
        try (exchange) {
            var body = Wire.find(parcels, exchange.getRequestURI().getPath()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static String ask(String parcel) {
        try (var body = DEPOT.toURL().openStream()) {
            return "parcel " + parcel + " at " + body.readAllBytes().length;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
