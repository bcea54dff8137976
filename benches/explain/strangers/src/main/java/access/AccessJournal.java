package access;

import io.undertow.Undertow;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ThreadLocalRandom;
import support.Backend;

/** Keeps the last visitors by the names of their hosts, which it looks up backwards, as access logs used to. */
public final class AccessJournal {
    private static final boolean NAMES = !"false".equals(System.getProperty("journal.host-names"));
    private static final int KEPT = 1_000;

    private final ConcurrentLinkedDeque<String> last = new ConcurrentLinkedDeque<>();

    public static void main(String[] arguments) {
        var journal = new AccessJournal();
        Undertow.builder()
                .addHttpListener(Backend.PORT, "127.0.0.1")
                .setWorkerThreads(200)
                .setHandler(new BlockingHandler(journal::note))
                .build()
                .start();
    }

    private void note(HttpServerExchange exchange) throws UnknownHostException {
        var visitor = address(exchange.getRequestHeaders().getFirst("X-Forwarded-For"));
        last.addFirst(NAMES ? visitor.getHostName() : visitor.getHostAddress());
        if (ThreadLocalRandom.current().nextInt(KEPT) == 0) {
            while (last.size() > KEPT) {
                last.removeLast();
            }
        }
        exchange.getResponseSender().send("noted");
    }

    /** The address before the proxy; without a proxy one of 16 million, since a test has one client only. */
    private static InetAddress address(String forwarded) throws UnknownHostException {
        if (forwarded != null) {
            return InetAddress.getByName(forwarded);
        }
        int visitor = ThreadLocalRandom.current().nextInt(1 << 24);
        return InetAddress.getByAddress(new byte[] {10, (byte) (visitor >> 16), (byte) (visitor >> 8), (byte) visitor});
    }
}
