package laundry;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** Loads for the dryers, a thread for each socket; limited by a semaphore, which is waited for within a monitor. */
final class DryerLoads {
    private static final Dryers DRYERS = new Dryers(Integer.getInteger("dryers.count", 5));

    public static void main(String[] arguments) throws IOException {
        var threads = Executors.newCachedThreadPool();
        var address = Counter.address();
        try (var server = new ServerSocket(address.getPort(), 500, address.getAddress())) {
            while (true) {
                var customer = server.accept();
                threads.execute(() -> serve(customer));
            }
        }
    }

    private static void serve(Socket socket) {
        try (var customer = socket;
                var input = new BufferedReader(new InputStreamReader(customer.getInputStream()))) {
            customer.setTcpNoDelay(true);
            for (var line = input.readLine(); line != null; line = input.readLine()) {
                if (line.isEmpty()) {
                    customer.getOutputStream().write(answer().getBytes(StandardCharsets.UTF_8));
                }
            }
        } catch (IOException e) {
            System.err.println("customer left: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static String answer() throws InterruptedException {
        int load = DRYERS.take();
        try {
            var body = "load " + load + ", " + Counter.ask("/dryers/start").length() + " min";
            return "HTTP/1.1 200 OK\r\nContent-Length: " + body.length() + "\r\n\r\n" + body;
        } finally {
            DRYERS.giveBack();
        }
    }
}
