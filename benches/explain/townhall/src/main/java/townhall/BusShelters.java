package townhall;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/** Departures for the screens of bus shelters, by a selector by hand, whose only thread calls the bus company, too. */
public final class BusShelters {
    private final Selector selector;
    private final Executor askers;

    private BusShelters(Selector selector, Executor askers) {
        this.selector = selector;
        this.askers = askers;
    }

    public static void main(String[] arguments) throws IOException {
        int askers = Integer.getInteger("shelters.askers", 0);
        var server = ServerSocketChannel.open().bind(new InetSocketAddress("127.0.0.1", TownHall.PORT), 1_000);
        server.configureBlocking(false);
        var selector = Selector.open();
        server.register(selector, SelectionKey.OP_ACCEPT);
        new BusShelters(selector, askers == 0 ? Runnable::run : Executors.newFixedThreadPool(askers)).run();
    }

    private void run() throws IOException {
        Thread.currentThread().setName("shelter-selector");
        while (true) {
            selector.select(this::turn);
        }
    }

    private void turn(SelectionKey key) {
        try {
            if (key.isAcceptable()) {
                var screen = ((ServerSocketChannel) key.channel()).accept();
                screen.configureBlocking(false);
                screen.socket().setTcpNoDelay(true);
                screen.register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(4_096));
            } else if (isComplete(key)) {
                key.interestOps(0);
                askers.execute(() -> answer(key));
            }
        } catch (IOException e) {
            close(key);
        }
    }

    private static boolean isComplete(SelectionKey key) throws IOException {
        var request = (ByteBuffer) key.attachment();
        if (((SocketChannel) key.channel()).read(request) < 0) {
            throw new IOException("the screen is gone");
        }
        var text = new String(request.array(), 0, request.position(), StandardCharsets.US_ASCII);
        return text.endsWith("\r\n\r\n");
    }

    private void answer(SelectionKey key) {
        try {
            var body = "departures " + TownHall.askOffice().length();
            var answer = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
            ((SocketChannel) key.channel()).write(StandardCharsets.US_ASCII.encode(answer));
            ((ByteBuffer) key.attachment()).clear();
            key.interestOps(SelectionKey.OP_READ);
            selector.wakeup();
        } catch (IOException e) {
            close(key);
        }
    }

    private static void close(SelectionKey key) {
        key.cancel();
        try {
            key.channel().close();
        } catch (IOException e) {
            System.err.println("cannot close: " + e);
        }
    }
}
