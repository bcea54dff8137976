package plimsoll.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Bodies pass through a gateway of 64 MB, in either direction, whatever their size: by default some times its heap, and as much
 * as {@code -Dplimsoll.body.bytes=2147483648} says.
 */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#everyClient")
record GatewayBodiesIT(GatewayVariant variant) {

    private static final long BYTES = Long.getLong("plimsoll.body.bytes", 200L << 20);
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private static RunningSubject gateway;
    private static GatewayCaller caller;
    private static BodyServer upstream;
    private static String expected;

    @BeforeParameterizedClassInvocation
    static void launch(GatewayVariant variant) throws Exception {
        gateway = variant.launch(
                "bodies", List.of(), "--gateway.allowed-hosts=*", "--gateway.allow-private-addresses=true");
        caller = new GatewayCaller(gateway);
        upstream = new BodyServer(BYTES);
        expected = Body.describe(new Body(BYTES));
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        upstream.close();
        caller.close();
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/length", "/chunked"})
    void sendsOnWhatTheUpstreamAnswers(String path) throws Exception {
        var response = caller.call(upstream.url(path));

        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(Body.describe(response.body())).isEqualTo(expected);
    }

    /** The upstream is made to wait; what it sends meanwhile is not piled up. */
    @Test
    void waitsForACallerThatReadsLater() throws Exception {
        var response = caller.call(upstream.url("/length"));
        Thread.sleep(1_000);

        assertThat(Body.describe(response.body())).isEqualTo(expected);
    }

    @Test
    void sendsOnWhatTheCallerSends() throws Exception {
        var body = BodyPublishers.ofInputStream(() -> new Body(BYTES));

        assertThat(upload(BodyPublishers.fromPublisher(body, BYTES))).isEqualTo(expected);
    }

    @Test
    void sendsOnWhatTheCallerSendsInChunks() throws Exception {
        assertThat(upload(BodyPublishers.ofInputStream(() -> new Body(BYTES)))).isEqualTo(expected);
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

    private static String upload(BodyPublisher body) throws IOException, InterruptedException {
        var request = caller.request(upstream.url("/upload")).timeout(PATIENCE).POST(body);
        return caller.send(request.build(), BodyHandlers.ofString()).body();
    }
}
