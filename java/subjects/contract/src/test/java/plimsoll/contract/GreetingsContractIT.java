package plimsoll.contract;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Answers of every greetings service, byte for byte, whatever it is made of. */
@ParameterizedClass
@EnumSource(Subject.class)
record GreetingsContractIT(Subject subject) {

    private static final Duration WAIT = Duration.ofMillis(200);

    private static RunningSubject running;
    private static HttpClient client;

    @BeforeParameterizedClassInvocation
    static void launch(Subject subject) throws Exception {
        running = RunningSubject.launch(
                subject, "--greetings.wait=" + WAIT.toMillis() + "ms", "--greetings.phrases=Hello");
        client = HttpClient.newBuilder().version(Version.HTTP_1_1).build();
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        client.close();
        running.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"plimsoll", "한강", "Zoë & Søn", "\uD83D\uDEA2", "a/b?c=d", "100%"})
    void greetsByName(String name) throws Exception {
        var response = get("/greetings?name=" + URLEncoder.encode(name, UTF_8));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(("Hello, " + name + "!").getBytes(UTF_8));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/greetings", "/greetings?name=", "/greetings?other=x"})
    void greetsTheWorldWhereNoNameIsGiven(String path) throws Exception {
        var response = get(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("Hello, World!".getBytes(UTF_8));
    }

    @Test
    void saysHowLongAndOfWhatTypeTheGreetingIs() throws Exception {
        var headers = get("/greetings?name=plimsoll").headers();

        assertThat(headers.firstValue("Content-Type")).hasValue("text/plain;charset=UTF-8");
        assertThat(headers.firstValue("Content-Length")).hasValue("16");
        assertThat(headers.firstValue("Transfer-Encoding")).isEmpty();
        assertThat(headers.firstValue("Content-Encoding")).isEmpty();
    }

    @Test
    void waitsBeforeItGreets() throws Exception {
        assertThat(took(() -> get("/greetings"))).isGreaterThanOrEqualTo(WAIT);
    }

    @Test
    void isReadyAtOnce() throws Exception {
        var response = get("/ready");

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.body()).isEqualTo("ready".getBytes(UTF_8));
        // The best of several: one alone may meet a pause of the machine.
        var fastest = Stream.generate(() -> took(() -> get("/ready"))).limit(10).min(Duration::compareTo);
        assertThat(fastest.orElseThrow()).isLessThan(WAIT);
    }

    @Test
    void refusesWhatItDoesNotServe() throws Exception {
        var post = HttpRequest.newBuilder(running.uri("/greetings")).POST(BodyPublishers.noBody());

        assertThat(get("/nowhere").statusCode()).isEqualTo(404);
        assertThat(client.send(post.build(), BodyHandlers.ofByteArray()).statusCode())
                .isEqualTo(405);
    }

    @Test
    void keepsTheConnectionOpen() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), running.port)) {
            socket.setSoTimeout(60_000);
            for (var name : new String[] {"first", "second", "third"}) {
                var request = "GET /greetings?name=" + name + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(US_ASCII));
                var greeting = "Hello, " + name + "!";
                var head = readHead(socket.getInputStream());
                assertThat(head).startsWith("HTTP/1.1 200").doesNotContainIgnoringCase("connection: close");
                assertThat(socket.getInputStream().readNBytes(greeting.length()))
                        .isEqualTo(greeting.getBytes(US_ASCII));
            }
        }
    }

    @Test
    void servesManyAtOnce() {
        var requests = 100;
        var oneByOne = WAIT.multipliedBy(requests);
        // The best of several, as above.
        var isFaster = Stream.generate(() -> took(() -> greetAtOnce(requests)))
                .limit(5)
                .anyMatch(elapsed -> elapsed.compareTo(oneByOne.dividedBy(2)) < 0);

        assertThat(isFaster).as("faster than one by one").isTrue();
    }

    private static void greetAtOnce(int requests) {
        var request = HttpRequest.newBuilder(running.uri("/greetings")).build();
        Stream.generate(() -> client.sendAsync(request, BodyHandlers.ofString()))
                .limit(requests)
                .toList()
                .forEach(response -> assertThat(response.join().body()).isEqualTo("Hello, World!"));
    }

    private static HttpResponse<byte[]> get(String path) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(running.uri(path)).build(), BodyHandlers.ofByteArray());
    }

    private static String readHead(InputStream in) throws IOException {
        var head = new StringBuilder();
        while (!head.toString().endsWith("\r\n\r\n")) {
            var next = in.read();
            assertThat(next).as("the connection stays open").isNotNegative();
            head.append((char) next);
        }
        return head.toString();
    }

    private interface Action {
        void run() throws Exception;
    }

    private static Duration took(Action action) {
        var started = System.nanoTime();
        try {
            action.run();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return Duration.ofNanos(System.nanoTime() - started);
    }
}
