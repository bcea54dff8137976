import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * A service of two limits: threads ({@code -Dweb.threads}), and lanes ({@code -Dlanes.max}), each of which takes a request
 * for so many milliseconds ({@code -Dlane.ms}): {@code Permits PORT}.
 */
public class Permits {
    private static final Semaphore LANES = new Semaphore(Integer.getInteger("lanes.max", 4));

    public static void main(String[] arguments) throws Exception {
        var server = HttpServer.create(new InetSocketAddress("127.0.0.1", Integer.parseInt(arguments[0])), 1000);
        server.createContext("/", exchange -> {
            try {
                LANES.acquire();
                Thread.sleep(Integer.getInteger("lane.ms", 20));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                LANES.release();
            }
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.setExecutor(Executors.newFixedThreadPool(Integer.getInteger("web.threads", 200)));
        server.start();
    }
}
