package plimsoll.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Time-outs that no bad upstream brings about by itself. */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#fewUnlessSlow")
record GatewayTimeOutsIT(GatewayVariant variant) {

    /** The time is up at another instant of each. */
    private static final int HASTY_CALLS = 5;

    private static final int CALLERS = 32;

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

    /** As on a machine that stands still for a while. */
    @Test
    void aCallEndsWhoseTimeIsUpBeforeThereIsAConnectionToBreakOff() throws Exception {
        var endless = HostileUpstreams.served().url("Http1: a head that drips");
        try (var hasty = launchHasty("1ms");
                var its = new GatewayCaller(hasty)) {
            for (var call = 1; call <= HASTY_CALLS; call++) {
                assertThat(its.call(endless).statusCode()).isEqualTo(504);
            }
        }
    }

    /** Neither by the end of its body, which the end of its connection is, nor by the status of one with the text of the other. */
    @Test
    void anAnswerThatIsCutOffNeverLooksWhole() throws Exception {
        // On a busy machine no answer may begin within the first of these times.
        var begun = 0;
        for (var total : List.of("30ms", "300ms", "3s")) {
            begun = begun == 0 ? answersCutOffAfter(total) : begun;
        }
        assertThat(begun).as("answers that have begun").isPositive();
    }

    /** How many have begun. */
    private int answersCutOffAfter(String total) throws Exception {
        var endless = HostileUpstreams.served().urlForCrowds("Http1: a body without end");
        try (var hasty = launchHasty(total);
                var its = new GatewayCaller(hasty);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Integer> calls = () -> {
                var begun = 0;
                for (var call = 1; call <= HASTY_CALLS; call++) {
                    var answer = its.call(endless);
                    assertThat(answer.statusCode()).isIn(200, 504);
                    if (answer.statusCode() == 200) {
                        begun++;
                        assertThatThrownBy(() -> answer.body().transferTo(OutputStream.nullOutputStream()))
                                .isInstanceOf(IOException.class);
                    }
                }
                return begun;
            };
            var begun = 0;
            for (var caller : callers.invokeAll(Collections.nCopies(CALLERS, calls))) {
                begun += caller.get();
            }
            return begun;
        }
    }

    private RunningSubject launchHasty(String total) throws IOException, InterruptedException {
        return variant.launch(
                "hasty-" + total,
                "--gateway.allowed-hosts=127.0.0.1",
                "--gateway.allow-private-addresses=true",
                "--gateway.timeouts.total=" + total,
                "--gateway.pool.max-per-route=" + CALLERS);
    }
}
