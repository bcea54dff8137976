package plimsoll.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The time-outs that no bad upstream brings about: for a connection of the pool, and that of a batch's calls. */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#everyClient")
record GatewayTimeOutsIT(GatewayVariant variant) {

    private static final Duration BATCH = Duration.ofSeconds(1);

    private static RunningSubject gateway;
    private static GatewayCaller caller;
    private static EchoServer upstream;

    @BeforeParameterizedClassInvocation
    static void launch(GatewayVariant variant) throws Exception {
        upstream = new EchoServer();
        gateway = variant.launch(
                "time-outs",
                List.of(),
                "--gateway.allowed-hosts=127.0.0.1",
                "--gateway.allow-private-addresses=true",
                "--gateway.timeouts.answer=20s",
                "--gateway.timeouts.lease=500ms",
                "--gateway.batch.timeout=" + BATCH.toMillis() + "ms",
                "--gateway.pool.max-per-route=1",
                "--gateway.pool.max-total=1");
        caller = new GatewayCaller(gateway);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        upstream.close();
        caller.close();
        gateway.close();
    }

    @Test
    void aCallWaitsForAConnectionOnlySoLong() throws Exception {
        assumeTrue(variant.limits().hasPoolWithLimit(), "the client library does not limit its connections");
        var held = new CountDownLatch(1);
        upstream.holdBack(held);
        var first = caller.call(upstream.url("/slow"));

        var second = caller.send(caller.request(upstream.url("/echo")).build(), BodyHandlers.ofString(UTF_8));

        assertThat(second.statusCode()).isEqualTo(504);
        assertThat(second.body()).contains("\"reason\":\"lease-timeout\"");
        held.countDown();
        assertThat(first.body().readAllBytes()).asString(UTF_8).isEqualTo("first second");
        caller.awaitZero("gateway_pool_leased", Duration.ofSeconds(20));
        assertThat(caller.call(upstream.url("/echo")).statusCode()).isEqualTo(200);
    }

    /** Each call of a batch has one, and one more attempt; two at a time take four calls two rounds. */
    @Test
    void aBatchWaitsForACallOnlySoLong() throws Exception {
        assumeTrue(!variant.limits().hasPoolWithLimit(), "or its calls wait for one connection");
        var url = gateway.uri("/batch?calls=4&concurrency=2&url=" + upstream.url("/silent"));
        var started = System.nanoTime();

        var report = caller.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString(UTF_8))
                .body();

        assertThat(report).contains("\"failures\":4").containsPattern("(?s)(\"attempts\":2,.*){4}");
        assertThat(report).contains("\"reason\":\"response-timeout\"");
        assertThat(Duration.ofNanos(System.nanoTime() - started))
                .isBetween(BATCH.multipliedBy(4), Duration.ofSeconds(19));
    }
}
