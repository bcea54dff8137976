package laundry;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Sends times as StatsD expects them, and finds its collector again when that moves to another address. */
final class Metrics {
    private final String collector;
    private final DatagramSocket socket = new DatagramSocket();

    Metrics(String collector) throws IOException {
        this.collector = collector;
    }

    void time(String name, long nanos) throws IOException {
        var line = (name + ":" + nanos / 1_000_000 + "|ms").getBytes(StandardCharsets.UTF_8);
        socket.send(new DatagramPacket(line, line.length, new InetSocketAddress(collector, 8125)));
    }
}
