import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/** A service of two limits that are equally tight: threads, and lanes of which each takes a request for 50 ms. */
public class Tight {
    private static final Semaphore LANES = new Semaphore(Integer.getInteger("lanes.max", 64));

    public static void main(String[] arguments) throws Exception {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 1000);
        server.createContext("/", exchange -> {
            try {
                LANES.acquire();
                Thread.sleep(50);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                LANES.release();
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.setExecutor(Executors.newFixedThreadPool(Integer.getInteger("web.threads", 64)));
        server.start();
    }
}
