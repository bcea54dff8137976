package plimsoll.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import plimsoll.contract.HostileServer.Port;
import plimsoll.contract.HostileUpstream.Outcome;

/** Whatever an upstream does, the caller is told in time, the gateway holds nothing afterwards, and other calls go on. */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#all")
record HostileUpstreamsIT(GatewayVariant variant) {

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration TOTAL = Duration.ofSeconds(6);

    /** Deadline of whatever is awaited: hostile upstreams stall for ever. */
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    private static final Pattern REASON = Pattern.compile("\"reason\" ?: ?\"([a-z-]+)\"");
    private static final int CALLERS = 32;

    /** More than sockets hold. */
    private static final int BODY_BYTES = 50 << 20;

    private static final HostileUpstream.Script GOOD = wire -> {
        while (true) {
            wire.readRequest();
            wire.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\ngood");
        }
    };

    private static RunningSubject gateway;
    private static GatewayCaller caller;

    @BeforeParameterizedClassInvocation
    static void launch(GatewayVariant variant) throws Exception {
        gateway = variant.launch(
                "hostile",
                "--gateway.allowed-hosts=*",
                "--gateway.allow-private-addresses=true",
                "--gateway.timeouts.connect=" + CONNECT.toSeconds() + "s",
                "--gateway.timeouts.lease=4s",
                "--gateway.timeouts.answer=4s",
                "--gateway.timeouts.total=" + TOTAL.toSeconds() + "s",
                "--gateway.pool.max-total=200",
                "--gateway.pool.max-per-route=" + CALLERS,
                "--gateway.ssl.bundle=upstreams",
                "--spring.ssl.bundle.pem.upstreams.truststore.certificate=file:" + Certificates.authority());
        caller = new GatewayCaller(gateway);
        assertGoodUpstreamsAreServed();
    }

    @AfterParameterizedClassInvocation
    static void holdsNothingAfterAllOfThem(GatewayVariant variant) throws Exception {
        try {
            assertGoodUpstreamsAreServed();
            assertThat(caller.metric("gateway_pool_leased").isPresent())
                    .isEqualTo(variant.limits().hasPool());
            caller.awaitZero("gateway_pool_leased", DEADLINE);
            caller.awaitZero("gateway_pool_pending", DEADLINE);
            if (!variant.limits().hasPool()) {
                awaitNoSocket();
            }
        } finally {
            caller.close();
            gateway.close();
        }
    }

    /** Clients that tell of no pool do not keep idle connections for long. */
    private static void awaitNoSocket() throws Exception {
        var deadline = System.nanoTime() + DEADLINE.toNanos();
        while (!gateway.outboundSockets().isEmpty() && System.nanoTime() < deadline) {
            Thread.sleep(500);
        }
        assertThat(gateway.outboundSockets()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    @Execution(ExecutionMode.CONCURRENT)
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void theCallerIsTold(HostileUpstream upstream) throws Exception {
        assumeFalse(variant.limits().isHelplessAgainst(upstream), "the client library leaves the gateway no means");
        try (var server = new HostileServer(upstream)) {
            var started = System.nanoTime();
            var response = caller.call(server.url());
            // A handshake may be slow on a busy machine.
            var mayHaveConnectedTooLong =
                    server.url().startsWith("https") && since(started).compareTo(CONNECT) >= 0;
            if (!(mayHaveConnectedTooLong && response.statusCode() == 504)) {
                assertTold(upstream, response);
            }
            if (upstream.outcome == Outcome.HARMLESS && !variant.limits().takesSurplusForAnAnswer()) {
                assertHarmless(caller.call(server.url()), upstream);
            }
        }
    }

    private static Duration since(long started) {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    private static void assertTold(HostileUpstream upstream, HttpResponse<InputStream> response) throws IOException {
        switch (upstream.outcome) {
            case FAILED -> assertFailed(response, upstream);
            case TIMED_OUT -> assertTimedOut(response, upstream);
            case BROKEN_OFF -> assertFailedOrBrokenOff(response, upstream);
            case HARMLESS -> assertHarmless(response, upstream);
        }
    }

    /** Many at once, as a client that waits for a lock to break a call off may be lucky once. */
    @ParameterizedTest
    @EnumSource(names = {"DRIPS_ITS_BODY", "DRIPS_ITS_BODY_OVER_TLS"})
    @Execution(ExecutionMode.CONCURRENT)
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void everyCallerOfOneThatDripsIsTold(HostileUpstream upstream) throws Exception {
        try (var server = new HostileServer(upstream);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Integer> call = () -> {
                var response = caller.call(server.url());
                if (response.statusCode() == 200) {
                    assertBrokenOff(response);
                }
                return response.statusCode();
            };
            for (var status : callers.invokeAll(Collections.nCopies(CALLERS, call))) {
                assertThat(status.get()).isIn(200, 502, 504);
            }
        }
    }

    /** An answer that a client cannot read must not touch the other calls. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void theOtherCallersAreServed() throws Exception {
        try (var bad = new HostileServer(HostileUpstream.SENDS_NO_STATUS);
                var good = new HostileServer(Port.HTTP, GOOD);
                var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<String> call = () -> {
                assertThat(caller.call(bad.url()).statusCode()).isIn(502, 504);
                return body(caller.call(good.url()));
            };
            for (var answer : callers.invokeAll(Collections.nCopies(CALLERS, call))) {
                assertThat(answer.get()).isEqualTo("good");
            }
        }
    }

    /** A body that fills every buffer on the way. */
    @ParameterizedTest
    @EnumSource(names = {"HTTP", "HTTPS"})
    @Execution(ExecutionMode.CONCURRENT)
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void theCallerOfOneThatReadsNothingIsTold(Port port) throws Exception {
        assumeTrue(port == Port.HTTP || variant.limits().breaksOffWritesOverTls(), "the JDK waits for the write");
        try (var server = new HostileServer(port, Wire::ignore)) {
            assertThat(RawRequest.post(gateway.port, server.url(), new byte[BODY_BYTES], DEADLINE))
                    .matches("HTTP/1.1 50[24].*");
        }
    }

    private static void assertFailed(HttpResponse<InputStream> response, HostileUpstream upstream) throws IOException {
        assertThat(response.statusCode()).as(response.headers().toString()).isIn(502, 504);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        var body = body(response);
        var reason = REASON.matcher(body);
        assertThat(reason.find()).as(body).isTrue();
        assertThat(reason.group(1)).as(body).isIn(upstream.reasons());
    }

    private static void assertTimedOut(HttpResponse<InputStream> response, HostileUpstream upstream)
            throws IOException {
        assertThat(response.statusCode()).isEqualTo(504);
        assertFailed(response, upstream);
    }

    private static void assertFailedOrBrokenOff(HttpResponse<InputStream> response, HostileUpstream upstream)
            throws IOException {
        if (response.statusCode() == 200) {
            assertBrokenOff(response);
        } else {
            assertFailed(response, upstream);
        }
    }

    private static void assertBrokenOff(HttpResponse<InputStream> response) {
        assertThatThrownBy(() -> body(response))
                .as("an answer that ended early must not look whole")
                .isInstanceOf(IOException.class);
    }

    private static void assertHarmless(HttpResponse<InputStream> response, HostileUpstream upstream)
            throws IOException {
        switch (response.statusCode()) {
            case 200 -> assertWholeOrBrokenOff(response);
            case 204 -> assertThat(body(response)).isEmpty();
            default -> assertFailed(response, upstream);
        }
    }

    private static void assertWholeOrBrokenOff(HttpResponse<InputStream> response) {
        String body;
        try {
            body = body(response);
        } catch (IOException brokenOff) {
            return;
        }
        assertThat(body).isEqualTo("hello");
    }

    private static void assertGoodUpstreamsAreServed() throws Exception {
        try (var plain = new HostileServer(Port.HTTP, GOOD);
                var secured = new HostileServer(Port.HTTPS, GOOD)) {
            assertThat(body(caller.call(plain.url()))).isEqualTo("good");
            assertThat(body(caller.call(secured.url()))).isEqualTo("good");
        }
    }

    private static String body(HttpResponse<InputStream> response) throws IOException {
        try (var body = response.body()) {
            return new String(body.readAllBytes(), ISO_8859_1);
        }
    }
}
