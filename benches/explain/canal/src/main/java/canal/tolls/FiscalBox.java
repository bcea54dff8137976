package canal.tolls;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Speaks to the box as its manual says: a head, then what is to be signed. */
class FiscalBox {
    private static final URI ADDRESS = URI.create(System.getProperty("upstream"));
    private static final String END_OF_HEAD = "\r\n\r\n";

    private final ByteBuffer answer = ByteBuffer.allocate(8_192);
    private SocketChannel line;

    String sign(String receipt) throws IOException {
        try {
            connect();
            var body = StandardCharsets.US_ASCII.encode(receipt);
            line.write(StandardCharsets.US_ASCII.encode(
                    "POST /signatures HTTP/1.1\r\nHost: box\r\nContent-Length: " + body.remaining() + END_OF_HEAD));
            line.write(body);
            return read();
        } catch (IOException e) {
            line = null;
            throw e;
        }
    }

    private void connect() throws IOException {
        if (line == null) {
            line = SocketChannel.open(new InetSocketAddress(ADDRESS.getHost(), ADDRESS.getPort()));
            line.setOption(StandardSocketOptions.TCP_NODELAY, Boolean.getBoolean("box.no-delay"));
        }
    }

    private String read() throws IOException {
        answer.clear();
        while (true) {
            if (line.read(answer) < 0) {
                throw new EOFException("the box has hung up");
            }
            var text = new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII);
            int head = text.indexOf(END_OF_HEAD);
            if (head > 0 && text.length() >= head + END_OF_HEAD.length() + length(text.substring(0, head))) {
                return text.substring(head + END_OF_HEAD.length());
            }
        }
    }

    private static int length(String head) {
        return head.lines()
                .filter(field -> field.regionMatches(true, 0, "content-length:", 0, 15))
                .mapToInt(field -> Integer.parseInt(field.substring(15).strip()))
                .findFirst()
                .orElse(0);
    }
}
