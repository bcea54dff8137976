package plimsoll.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;

/** An upstream that tells what it was asked, and answers in every shape that a gateway has to pass on. */
final class EchoServer implements AutoCloseable {

    /** Every client adds its own, or has its own form for them. */
    private static final Set<String> NOT_TOLD = Set.of("accept", "connection", "host", "user-agent");

    private static final int BACKLOG = 100;

    private final String scheme;
    private final HttpServer server;
    private final Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();
    private volatile CountDownLatch rest = new CountDownLatch(0);

    EchoServer() throws IOException {
        this("http", HttpServer.create(anyPort(), BACKLOG));
    }

    private EchoServer(String scheme, HttpServer server) {
        this.scheme = scheme;
        this.server = server;
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext(
                "/echo", exchange -> answer(exchange, 200, echo(exchange).getBytes(UTF_8), false));
        server.createContext("/", exchange -> answer(exchange, 200, "the root\n".getBytes(UTF_8), false));
        server.createContext("/bytes", EchoServer::bytes);
        server.createContext("/status", EchoServer::status);
        server.createContext("/gzip", EchoServer::gzip);
        server.createContext("/headers", EchoServer::headers);
        server.createContext("/silent", EchoServer::silent);
        server.createContext("/slow", this::slow);
        server.createContext("/connection", this::connection);
        server.start();
    }

    /** One that speaks TLS, with clients that show a certificate of the tests' authority. */
    static EchoServer overMutualTls() throws IOException {
        var server = HttpsServer.create(anyPort(), BACKLOG);
        server.setHttpsConfigurator(new HttpsConfigurator(Certificates.good()) {
            @Override
            public void configure(HttpsParameters parameters) {
                var ssl = getSSLContext().getDefaultSSLParameters();
                ssl.setNeedClientAuth(true);
                parameters.setSSLParameters(ssl);
            }
        });
        return new EchoServer("https", server);
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    String url(String pathAndQuery) {
        return scheme + "://127.0.0.1:" + server.getAddress().getPort() + pathAndQuery;
    }

    /** How many connections {@code /connection} was asked on. */
    int connections() {
        return connections.size();
    }

    /** From now on {@code /slow} sends the second half of its answer only after the latch is down. */
    void holdBack(CountDownLatch until) {
        rest = until;
    }

    /** Bytes that look random and are the same each time. */
    static byte[] content(int size) {
        var content = new byte[size];
        new Random(size).nextBytes(content);
        return content;
    }

    private static String echo(HttpExchange exchange) throws IOException {
        var body = exchange.getRequestBody().readAllBytes();
        var text = new StringBuilder(exchange.getRequestMethod() + " " + exchange.getRequestURI() + "\n");
        var told = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        exchange.getRequestHeaders().forEach((name, values) -> told.put(name, String.join(" | ", values)));
        told.keySet().removeIf(name -> NOT_TOLD.contains(name.toLowerCase()));
        told.forEach(
                (name, values) -> text.append(name).append(": ").append(values).append('\n'));
        return text + "\n" + received(body);
    }

    /** How {@code /echo} tells of a body. */
    static String received(byte[] body) {
        return body.length + " bytes, " + sha256(body) + "\n";
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void bytes(HttpExchange exchange) throws IOException {
        var asked = exchange.getRequestURI().getPath().split("/");
        exchange.getResponseHeaders().set("Content-Type", "application/octet-stream");
        answer(exchange, 200, content(Integer.parseInt(asked[3])), asked[2].equals("chunked"));
    }

    private static void status(HttpExchange exchange) throws IOException {
        var status = Integer.parseInt(exchange.getRequestURI().getPath().split("/")[2]);
        exchange.getResponseHeaders().set("ETag", "\"v1\"");
        exchange.getResponseHeaders().set("Location", "/elsewhere");
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"upstream\"");
        exchange.getRequestBody().readAllBytes();
        if (status == 204 || status == 304) {
            exchange.sendResponseHeaders(status, -1);
            exchange.close();
        } else {
            answer(exchange, status, ("the body of a " + status + "\n").getBytes(UTF_8), false);
        }
    }

    private static void gzip(HttpExchange exchange) throws IOException {
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write("packed ".repeat(1000).getBytes(UTF_8));
        }
        exchange.getResponseHeaders().set("Content-Encoding", "gzip");
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        answer(
                exchange,
                200,
                packed.toByteArray(),
                exchange.getRequestURI().getPath().endsWith("/chunked"));
    }

    private static void headers(HttpExchange exchange) throws IOException {
        var headers = exchange.getResponseHeaders();
        headers.add("Set-Cookie", "a=1; Path=/");
        headers.add("Set-Cookie", "b=2; Expires=Wed, 21 Oct 2037 07:28:00 GMT");
        headers.add("Set-Cookie", "c=3");
        headers.add("Cache-Control", "max-age=60, must-revalidate");
        headers.add("Content-Type", "text/html; charset=utf-8");
        headers.add("Server", "upstream/1.0");
        headers.add("X-Empty", "");
        headers.add("X-Utf-8", new String("한강 ü".getBytes(UTF_8), ISO_8859_1));
        headers.add("Keep-Alive", "timeout=20");
        answer(exchange, 200, "한강\n".getBytes(UTF_8), false);
    }

    private static void silent(HttpExchange exchange) {
        // Never answers; the gateway closes the connection.
    }

    private void slow(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 0);
        try (var body = exchange.getResponseBody()) {
            body.write("first ".getBytes(UTF_8));
            body.flush();
            rest.await(1, TimeUnit.MINUTES);
            body.write("second".getBytes(UTF_8));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void connection(HttpExchange exchange) throws IOException {
        connections.add(exchange.getRemoteAddress());
        answer(exchange, 200, "connected".getBytes(UTF_8), false);
    }

    private static void answer(HttpExchange exchange, int status, byte[] body, boolean chunked) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            if (exchange.getRequestMethod().equals("HEAD")) {
                exchange.getResponseHeaders().set("Content-Length", String.valueOf(body.length));
                exchange.sendResponseHeaders(status, -1);
            } else {
                exchange.sendResponseHeaders(status, chunked ? 0 : body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
