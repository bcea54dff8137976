package counter;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import support.Backend;

/** A thread for each customer, and a semaphore before the door: nobody is let in while so many are. */
public final class CounterServer {
    private static final Semaphore INSIDE = new Semaphore(Integer.getInteger("counter.customers", 8));
    private static final int REQUESTS_OF_A_CUSTOMER = 50;

    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (var door = new ServerSocket(Backend.PORT, 500, InetAddress.getLoopbackAddress())) {
            while (true) {
                INSIDE.acquire();
                var customer = door.accept();
                new Thread(() -> serve(customer), "counter").start();
            }
        }
    }

    private static void serve(Socket customer) {
        try (customer;
                var in = new BufferedReader(
                        new InputStreamReader(customer.getInputStream(), StandardCharsets.US_ASCII))) {
            customer.setTcpNoDelay(true);
            for (int left = REQUESTS_OF_A_CUSTOMER; left > 0 && readRequest(in); left--) {
                var text = "served " + Backend.fetch().length();
                var close = left == 1 ? "Connection: close\r\n" : "";
                var answer = "HTTP/1.1 200 OK\r\n" + close + "Content-Length: " + text.length() + "\r\n\r\n" + text;
                customer.getOutputStream().write(answer.getBytes(StandardCharsets.US_ASCII));
            }
        } catch (IOException | RuntimeException e) {
            System.err.println("a customer left: " + e);
        } finally {
            INSIDE.release();
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
