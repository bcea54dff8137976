package plants;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ArrayBlockingQueue;

/** Connections to a legacy system that requests take out of a queue and put back. */
final class BorrowedClients {
    private static final int COUNT = Integer.getInteger("clients", 5);
    private static final ArrayBlockingQueue<Legacy> FREE = new ArrayBlockingQueue<>(COUNT);

    private record Legacy(Socket socket, BufferedReader in) {
        static Legacy open() throws IOException {
            var socket = new Socket(Upstream.URL.getHost(), Upstream.URL.getPort());
            socket.setTcpNoDelay(true);
            return new Legacy(
                    socket, new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII)));
        }

        String ask() throws IOException {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: legacy\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return Answer.read(in);
        }
    }

    public static void main(String[] arguments) throws Exception {
        for (int client = 0; client < COUNT; client++) {
            FREE.add(Legacy.open());
        }
        Serve.undertow(Serve.ROOM, path -> {
            var legacy = FREE.take();
            try {
                return legacy.ask();
            } finally {
                FREE.add(legacy);
            }
        });
    }
}
