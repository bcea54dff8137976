package laundry;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Bells of the back door, on a selector by hand; limited by delayed ACKs, as head and body are two small writes. */
final class DoorBells {
    private final Selector selector = Selector.open();
    private final ByteBuffer input = ByteBuffer.allocate(8_192);
    private long rings;

    private DoorBells() throws IOException {
        var server = ServerSocketChannel.open().bind(Counter.address(), 500);
        server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
    }

    private void run() throws IOException {
        while (true) {
            selector.select(key -> {
                try {
                    if (key.isAcceptable()) {
                        accept((ServerSocketChannel) key.channel());
                    } else {
                        answer((SocketChannel) key.channel());
                    }
                } catch (IOException e) {
                    key.cancel();
                }
            });
        }
    }

    private void accept(ServerSocketChannel server) throws IOException {
        var client = server.accept();
        if (Boolean.getBoolean("bells.no-delay")) {
            client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        }
        client.configureBlocking(false).register(selector, SelectionKey.OP_READ);
    }

    private void answer(SocketChannel client) throws IOException {
        if (client.read(input.clear()) < 0) {
            client.close();
            return;
        }
        var body = bytes("ring " + ++rings);
        write(client, bytes("HTTP/1.1 200 OK\r\nContent-Length: " + body.remaining() + "\r\n\r\n"));
        write(client, body);
    }

    private static void write(SocketChannel client, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            client.write(bytes);
        }
    }

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    public static void main(String[] arguments) throws IOException {
        new DoorBells().run();
    }
}
