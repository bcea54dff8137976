package plimsoll.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of the thread servers: the same bytes, whichever thread serves them and however many are served at once. */
@ParameterizedClass
@ValueSource(strings = {"per-request", "pool", "virtual"})
record ThreadsContractIT(String mode) {

    private static final int CONNECTIONS = 2_000;
    private static final String REQUEST = "GET /anything?at=all HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n";
    private static final String CLOSING = """
            HTTP/1.1 200 OK\r
            Content-Type: text/plain\r
            Content-Length: 38\r
            Connection: close\r
            \r
            served by a thread of a ServerSocket!
            """;
    private static final String KEEPING = CLOSING.replace("close", "keep-alive");

    private static RunningSubject closing;
    private static RunningSubject keeping;

    @BeforeParameterizedClassInvocation
    static void launch(String mode) throws Exception {
        closing = launch(mode, false);
        keeping = launch(mode, true);
    }

    private static RunningSubject launch(String mode, boolean keepAlive) throws IOException, InterruptedException {
        var settings = List.of("--threads.mode=" + mode, "--threads.backlog=4096", "--threads.keep-alive=" + keepAlive);
        return RunningSubject.launch("threads", "threads-" + mode + "-" + keepAlive, settings);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        closing.close();
        keeping.close();
    }

    @Test
    void anyGetIsAnsweredWithTheBytesOfThePublishedServers() throws Exception {
        try (var socket = connect(closing)) {
            socket.getOutputStream().write(REQUEST.getBytes(US_ASCII));

            assertThat(socket.getInputStream().readAllBytes()).hasSize(122).isEqualTo(CLOSING.getBytes(US_ASCII));
        }
    }

    @Test
    void theConnectionIsKeptWhereThatIsTheSetting() throws Exception {
        try (var socket = connect(keeping)) {
            for (var request = 0; request < 3; request++) {
                socket.getOutputStream().write(REQUEST.getBytes(US_ASCII));
                assertThat(socket.getInputStream().readNBytes(KEEPING.length())).isEqualTo(KEEPING.getBytes(US_ASCII));
            }
        }
    }

    @Test
    void usualClientsUnderstandIt() throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var head = HttpRequest.newBuilder(keeping.uri("/")).HEAD().build();

            var response = client.send(head, BodyHandlers.ofString());

            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("Content-Length")).hasValue("38");
        }
    }

    /** More than the pool has threads: connections that wait for one are served, too. */
    @Test
    void everyOneOfManyConnectionsAtOnceIsServed() throws Exception {
        var sockets = new ArrayList<Socket>();
        try {
            for (var opened = 0; opened < CONNECTIONS; opened++) {
                sockets.add(connect(closing));
            }
            for (var socket : sockets) {
                socket.getOutputStream().write(REQUEST.getBytes(US_ASCII));
            }
            for (var socket : sockets) {
                assertThat(socket.getInputStream().readAllBytes()).isEqualTo(CLOSING.getBytes(US_ASCII));
            }
        } finally {
            for (var socket : sockets) {
                socket.close();
            }
        }
    }

    private static Socket connect(RunningSubject subject) throws IOException {
        var socket = new Socket(InetAddress.getLoopbackAddress(), subject.port);
        socket.setSoTimeout(60_000);
        return socket;
    }
}
