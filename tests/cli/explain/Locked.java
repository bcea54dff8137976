import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** A service whose requests take turns: each holds one lock for 5 ms. */
public class Locked {
    private static final Object LEDGER = new Object();

    public static void main(String[] arguments) throws Exception {
        int port = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 0;
        String address = arguments.length > 1 ? arguments[1] : "127.0.0.1";
        var server = HttpServer.create(new InetSocketAddress(address, port), 100);
        server.createContext("/", exchange -> {
            book();
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.setExecutor(Executors.newFixedThreadPool(50));
        server.start();
        System.out.println(server.getAddress().getPort());
    }

    private static void book() {
        synchronized (LEDGER) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
