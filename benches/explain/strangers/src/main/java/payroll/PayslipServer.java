package payroll;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import support.Backend;

/** A server by hand, of the year 2004: a thread of a small pool serves a connection until it is closed, after 40 requests. */
public final class PayslipServer {
    private static final int REQUESTS_OF_A_CONNECTION = 40;

    public static void main(String[] arguments) throws IOException {
        var clerks = Executors.newFixedThreadPool(Integer.getInteger("payslips.clerks", 8));
        try (var counter = new ServerSocket(Backend.PORT, 500, InetAddress.getLoopbackAddress())) {
            while (true) {
                var visitor = counter.accept();
                clerks.execute(() -> attend(visitor));
            }
        }
    }

    private static void attend(Socket visitor) {
        try (visitor;
                var in = new BufferedReader(
                        new InputStreamReader(visitor.getInputStream(), StandardCharsets.US_ASCII))) {
            visitor.setTcpNoDelay(true);
            for (int left = REQUESTS_OF_A_CONNECTION; left > 0 && readRequest(in); left--) {
                var slip = "payslip " + Backend.fetch().length();
                var close = left == 1 ? "Connection: close\r\n" : "";
                var answer = "HTTP/1.1 200 OK\r\n" + close + "Content-Length: " + slip.length() + "\r\n\r\n" + slip;
                visitor.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("a visitor left: " + e);
        }
    }

    private static boolean readRequest(BufferedReader in) throws IOException {
        var line = in.readLine();
        while (line != null && !line.isEmpty()) {
            line = in.readLine();
        }
        return line != null;
    }
}
