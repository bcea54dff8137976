import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/** Answers each request from one of so many threads, after a wait and some work: {@code Threads PORT THREADS WAIT_MS}. */
class Threads {
  public static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    int threads = Integer.parseInt(arguments[1]);
    int wait = Integer.parseInt(arguments[2]);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 4096);
    server.setExecutor(Executors.newFixedThreadPool(threads));
    server.createContext("/", exchange -> {
      try {
        Thread.sleep(wait);
      } catch (InterruptedException stopped) {
        return;
      }
      byte[] body = "ready".getBytes();
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
      exchange.close();
    });
    server.start();
  }
}
