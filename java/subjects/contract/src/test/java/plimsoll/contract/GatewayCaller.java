package plimsoll.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.OptionalDouble;
import java.util.regex.Pattern;

/** An internal system that asks a gateway to call a URL. */
final class GatewayCaller implements AutoCloseable {

    /** By then every time-out of the gateway's has struck long ago, also on a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final int CALLS_MAX = 50;

    private final RunningSubject gateway;
    private final HttpClient client =
            HttpClient.newBuilder().version(Version.HTTP_1_1).build();

    GatewayCaller(RunningSubject gateway) {
        this.gateway = gateway;
    }

    /** The answer as soon as its head is there. */
    HttpResponse<InputStream> call(String url) throws IOException, InterruptedException {
        return client.send(request(url).build(), BodyHandlers.ofInputStream());
    }

    <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> body)
            throws IOException, InterruptedException {
        return client.send(request, body);
    }

    HttpRequest.Builder request(String url) {
        return HttpRequest.newBuilder(gateway.uri("/call")).timeout(PATIENCE).header("X-Target-Url", url);
    }

    /** The gateway's metrics in Prometheus' text format. */
    String metrics() throws IOException, InterruptedException {
        var page = client.send(
                HttpRequest.newBuilder(gateway.uri("/actuator/prometheus")).build(), BodyHandlers.ofString());
        if (page.statusCode() != 200) {
            throw new IOException("no metrics: " + page.statusCode() + " " + page.body());
        }
        return page.body();
    }

    /** The value of a gauge or counter without labels, if the gateway has one of this name. */
    OptionalDouble metric(String name) throws IOException, InterruptedException {
        var line = Pattern.compile("^" + name + " (\\S+)$", Pattern.MULTILINE).matcher(metrics());
        return line.find() ? OptionalDouble.of(Double.parseDouble(line.group(1))) : OptionalDouble.empty();
    }

    /**
     * Fails if each call opens a connection. An answer may be here before the gateway has put its connection back, so a single call says
     * nothing.
     */
    void assertConnectionsAreUsedAgain(EchoServer upstream) throws IOException, InterruptedException {
        for (var calls = 1; calls <= CALLS_MAX; calls++) {
            var answer = client.send(request(upstream.url("/connection")).build(), BodyHandlers.ofString());
            assertThat(answer.body()).isEqualTo("connected");
            if (upstream.connections() < calls) {
                return;
            }
        }
        throw new AssertionError(CALLS_MAX + " calls one after the other opened as many connections");
    }

    /** Waits until a gauge is back at zero, as what ends a call may come after its answer; fails if it takes too long. */
    void awaitZero(String gauge, Duration atMost) throws IOException, InterruptedException {
        var deadline = System.nanoTime() + atMost.toNanos();
        for (var left = metric(gauge).orElse(0); left != 0; left = metric(gauge).orElse(0)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError(gauge + " is still " + left + " after " + atMost);
            }
            Thread.sleep(100);
        }
    }

    /** At once: after a failed test there are answers that nobody reads any more, and waiting for their end would be for ever. */
    @Override
    public void close() {
        client.shutdownNow();
    }
}
