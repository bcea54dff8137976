package plimsoll.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The time-out that no bad upstream brings about: for a connection of the pool. */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#everyClient")
record GatewayTimeOutsIT(GatewayVariant variant) {

    private static RunningSubject gateway;
    private static GatewayCaller caller;
    private static EchoServer upstream;

    @BeforeParameterizedClassInvocation
    static void launch(GatewayVariant variant) throws Exception {
        upstream = new EchoServer();
        gateway = variant.launch(
                "time-outs",
                "--gateway.allowed-hosts=127.0.0.1",
                "--gateway.allow-private-addresses=true",
                "--gateway.timeouts.answer=2m",
                "--gateway.timeouts.lease=500ms",
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
        assumeTrue(variant.limits().hasPool(), "the client library does not limit its connections");
        var held = new CountDownLatch(1);
        upstream.holdBack(held);
        var first = caller.call(upstream.url("/slow"));

        var second = caller.send(caller.request(upstream.url("/echo")).build(), BodyHandlers.ofString(UTF_8));

        assertThat(second.statusCode()).isEqualTo(504);
        assertThat(second.body()).contains("\"reason\":\"lease-timeout\"");
        held.countDown();
        assertThat(first.body().readAllBytes()).asString(UTF_8).isEqualTo("first second");
        caller.awaitZero("gateway_pool_leased", Duration.ofMinutes(1));
        assertThat(caller.call(upstream.url("/echo")).statusCode()).isEqualTo(200);
    }
}
