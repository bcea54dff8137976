package townhall;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Lost property: few clerks, threads that each accept a visitor and serve nobody else until that one has gone. */
public final class LostProperty {
    public static void main(String[] arguments) throws IOException {
        var door = new ServerSocket(TownHall.PORT, 1_000, InetAddress.getByName("127.0.0.1"));
        for (int number = 1; number <= Integer.getInteger("property.clerks", 6); number++) {
            new Thread(() -> attend(door), "clerk-" + number).start();
        }
    }

    private static void attend(ServerSocket door) {
        while (true) {
            try (var visitor = door.accept()) {
                visitor.setTcpNoDelay(true);
                serve(visitor);
            } catch (IOException e) {
                System.err.println("visitor left: " + e);
            }
        }
    }

    private static void serve(Socket visitor) throws IOException {
        var in = new BufferedReader(new InputStreamReader(visitor.getInputStream(), StandardCharsets.US_ASCII));
        while (in.readLine() != null) {
            for (var header = in.readLine(); header != null && !header.isEmpty(); ) {
                header = in.readLine();
            }
            var body = "umbrella " + TownHall.askOffice().length();
            var answer = "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
            visitor.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
