package plimsoll.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bodies that are larger than the heap and the direct memory of the gateway pass through it, in either direction and however they are framed: 192 MiB,
 * and with {@code -Pslow} 2,100 MiB, for lengths that are no {@code int}.
 */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#everyClient")
record GatewayBodiesIT(GatewayVariant variant) {

    private static final long BYTES = Long.getLong("plimsoll.body-mib", 192) << 20;
    private static final long MEMORY_AT_MOST = 448L << 20;
    private static final String EXPECTED = described();
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static RunningSubject gateway;
    private static GatewayCaller caller;
    private static BodyServer upstream;

    @BeforeParameterizedClassInvocation
    static void launch(GatewayVariant variant) throws Exception {
        gateway = variant.launch("bodies", "--gateway.allowed-hosts=*", "--gateway.allow-private-addresses=true");
        caller = new GatewayCaller(gateway);
        upstream = new BodyServer(BYTES);
    }

    @AfterParameterizedClassInvocation
    static void hasNotGrown() throws IOException {
        try {
            assertThat(gateway.peakMemory()).as("peak memory in bytes").isLessThan(MEMORY_AT_MOST);
        } finally {
            upstream.close();
            caller.close();
            gateway.close();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/length", "/chunked"})
    void sendsOnWhatTheUpstreamAnswers(String path) throws Exception {
        var response = download(path);

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(Body.describe(response.body())).isEqualTo(EXPECTED);
    }

    /** The upstream is made to wait; what it sends meanwhile is not piled up. */
    @Test
    void waitsForACallerThatReadsLater() throws Exception {
        var response = download("/length");
        Thread.sleep(1_000);

        assertThat(Body.describe(response.body())).isEqualTo(EXPECTED);
    }

    @Test
    void sendsOnWhatTheCallerSends() throws Exception {
        var body = BodyPublishers.ofInputStream(() -> new Body(BYTES));

        assertThat(upload(BodyPublishers.fromPublisher(body, BYTES))).isEqualTo(EXPECTED);
    }

    @Test
    void sendsOnWhatTheCallerSendsInChunks() throws Exception {
        assertThat(upload(BodyPublishers.ofInputStream(() -> new Body(BYTES)))).isEqualTo(EXPECTED);
    }

    /** The upstream must not take the part for the whole. */
    @Test
    void cutsOffWhatTheCallerCutsOff() throws Exception {
        upstream.forgetEnded();

        RawRequest.send(gateway.port, RawRequest.chunkedPost(upstream.url("/upload")) + "5\r\nhello\r\n");

        assertThat(upstream.nextIsWhole(Duration.ofSeconds(5)))
                .as("that a part looked whole by " + variant)
                .isNotEqualTo(true);
    }

    private static HttpResponse<InputStream> download(String path) throws IOException, InterruptedException {
        return caller.send(caller.request(upstream.url(path)).timeout(PATIENCE).build(), BodyHandlers.ofInputStream());
    }

    private static String upload(BodyPublisher body) throws IOException, InterruptedException {
        var request = caller.request(upstream.url("/upload")).timeout(PATIENCE).POST(body);
        return caller.send(request.build(), BodyHandlers.ofString()).body();
    }

    private static String described() {
        try {
            return Body.describe(new Body(BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
