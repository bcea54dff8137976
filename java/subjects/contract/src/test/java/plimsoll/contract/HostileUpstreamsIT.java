package plimsoll.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.function.Function.identity;
import static java.util.stream.Collectors.toMap;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
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
import org.junit.jupiter.params.provider.ValueSource;
import plimsoll.contract.HostileUpstream.Outcome;

/** Whatever an upstream does, the caller is told in time, the gateway holds nothing afterwards, and other calls go on. */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#fewUnlessSlow")
record HostileUpstreamsIT(GatewayVariant variant) {

    private static final Duration CONNECT = Duration.ofSeconds(2);
    private static final Duration TOTAL = Duration.ofSeconds(6);

    /** Deadline of whatever is awaited: hostile upstreams stall for ever. */
    private static final Duration DEADLINE = Duration.ofMinutes(1);

    /** Some of what is awaited, one after the other. */
    private static final int TEST_SECONDS_MAX = 180;

    private static final Pattern REASON = Pattern.compile("\"reason\" ?: ?\"([a-z-]+)\"");
    private static final int CALLERS = 32;

    /** Answers without end at once, and of each kind more than there are threads that carry virtual ones. */
    private static final int ENDLESS_OF_A_KIND = 2 * GatewayVariant.CARRIERS;

    private static final List<String> ENDLESS = List.of(
            "Http1: a body without end",
            "Http1: small chunks without end",
            "Http1: interim responses without end",
            "Tls: a body without end");

    /** More than sockets hold. */
    private static final int BODY_BYTES = 50 << 20;

    /** Two that look odd, and are not. */
    private static final List<String> GOOD = List.of("Http1: names in odd case", "Tls: records of single bytes");

    /** The answer of those. */
    private static final String SERVED = "200 ok";

    private static HostileUpstreams upstreams;
    private static RunningSubject gateway;
    private static GatewayCaller caller;

    /** Callers of answers without end, which go on until a time-out ends each: no test waits for those of another. */
    private static ExecutorService endlessCallers;

    private static List<Future<Boolean>> endlessCalls;

    @BeforeParameterizedClassInvocation
    static void launch(GatewayVariant variant) throws Exception {
        upstreams = HostileUpstreams.served();
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
                "--spring.ssl.bundle.pem.upstreams.truststore.certificate=file:" + upstreams.trusted());
        caller = new GatewayCaller(gateway);
        endlessCallers = Executors.newVirtualThreadPerTaskExecutor();
        endlessCalls = new CopyOnWriteArrayList<>();
        assertGoodUpstreamsAreServed();
    }

    @AfterParameterizedClassInvocation
    static void holdsNothingAfterAllOfThem(GatewayVariant variant) throws Exception {
        try {
            for (var call : endlessCalls) {
                assertThat(call.get(DEADLINE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            }
            assertGoodUpstreamsAreServed();
            assertThat(caller.metric("gateway_pool_leased").isPresent())
                    .isEqualTo(variant.limits().hasPool());
            caller.awaitZero("gateway_pool_leased", DEADLINE);
            caller.awaitZero("gateway_pool_pending", DEADLINE);
            if (!variant.limits().hasPool()) {
                awaitNoSocket();
            }
        } finally {
            endlessCallers.shutdownNow();
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
    @Timeout(value = TEST_SECONDS_MAX, threadMode = ThreadMode.SEPARATE_THREAD)
    void theCallerIsTold(HostileUpstream upstream) throws Exception {
        assumeFalse(variant.limits().isHelplessAgainst(upstream), "the client library leaves the gateway no means");
        var url = upstreams.url(upstream.behaviour);
        againIfCutOff(TOTAL, () -> assertToldOnce(upstream, url));
        if (upstream.outcome == Outcome.HARMLESS && !variant.limits().takesSurplusForAnAnswer()) {
            assertHarmless(caller.call(url), upstream);
        }
    }

    private void assertToldOnce(HostileUpstream upstream, String url) throws Exception {
        var started = System.nanoTime();
        var response = caller.call(url);
        // A handshake may be slow on a busy machine.
        var mayHaveConnectedTooLong = url.startsWith("https") && since(started).compareTo(CONNECT) >= 0;
        if (!(mayHaveConnectedTooLong && response.statusCode() == 504)) {
            assertTold(upstream, response);
        }
    }

    private static Duration since(long started) {
        return Duration.ofNanos(System.nanoTime() - started);
    }

    private void assertTold(HostileUpstream upstream, HttpResponse<InputStream> response) throws IOException {
        if (variant.limits().takesForWhiteSpace(upstream)) {
            assertHarmless(response, upstream);
            return;
        }
        switch (upstream.outcome) {
            case FAILED -> assertFailed(response, upstream);
            case TIMED_OUT -> assertTimedOut(response, upstream);
            case BROKEN_OFF -> assertFailedOrBrokenOff(response, upstream);
            case HARMLESS -> assertHarmless(response, upstream);
        }
    }

    /** Many at once, as a client that waits for a lock to break a call off may be lucky once. */
    @ParameterizedTest
    @ValueSource(strings = {"Http1: a body that drips", "Tls: a body that drips"})
    @Execution(ExecutionMode.CONCURRENT)
    @Timeout(value = TEST_SECONDS_MAX, threadMode = ThreadMode.SEPARATE_THREAD)
    void everyCallerOfOneThatDripsIsTold(String behaviour) throws Exception {
        var url = upstreams.urlForCrowds(behaviour);
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Integer> call = () -> {
                var response = caller.call(url);
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

    /**
     * Many more answers than there are threads that carry virtual ones: none of them ever waits for its next byte. They keep coming until the
     * others have been served, however long that takes on a busy machine. A gateway that leaves the others no turns serves a few answers in each
     * of its time-outs, and none of the others is among them in time.
     */
    @Test
    @Timeout(value = TEST_SECONDS_MAX, threadMode = ThreadMode.SEPARATE_THREAD)
    void theOthersAreServedBesideAnswersWithoutEnd() throws Exception {
        var kinds = ENDLESS.stream().filter(this::isClosedInTime).toList();
        var begun = kinds.stream().collect(toMap(identity(), kind -> new CountDownLatch(GatewayVariant.CARRIERS)));
        var isOver = new AtomicBoolean();
        for (var kind : Collections.nCopies(ENDLESS_OF_A_KIND, kinds).stream()
                .flatMap(List::stream)
                .toList()) {
            var endless = upstreams.urlForCrowds(kind);
            endlessCalls.add(endlessCallers.submit(() -> {
                while (!isOver.get()) {
                    var response = caller.call(endless);
                    begun.get(kind).countDown();
                    assertEndsBadly(response);
                }
                return true;
            }));
        }
        try {
            for (var kind : kinds) {
                assertThat(begun.get(kind).await(DEADLINE.toSeconds(), TimeUnit.SECONDS))
                        .as(kind + " has begun")
                        .isTrue();
            }
            assertGoodUpstreamsAreServed();
        } finally {
            isOver.set(true);
        }
    }

    /** Some clients take minutes of CPU time to close a body of small chunks. */
    private boolean isClosedInTime(String behaviour) {
        return !behaviour.contains("small chunks") || variant.limits().breaksOffSmallChunks();
    }

    private static void assertEndsBadly(HttpResponse<InputStream> response) throws IOException {
        try (var body = response.body()) {
            assertThat(response.statusCode()).isIn(200, 502, 504);
            if (response.statusCode() == 200) {
                assertThatThrownBy(() -> body.transferTo(OutputStream.nullOutputStream()))
                        .isInstanceOf(IOException.class);
            }
        }
    }

    /** An answer that a client cannot read must not touch the other calls. */
    @Test
    @Timeout(value = TEST_SECONDS_MAX, threadMode = ThreadMode.SEPARATE_THREAD)
    void theOtherCallersAreServed() throws Exception {
        var bad = upstreams.urlForCrowds("Http1: no status");
        var good = upstreams.url(GOOD.getFirst());
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            Callable<Void> call = () -> {
                assertThat(caller.call(bad).statusCode()).isIn(502, 504);
                assertServed(good);
                return null;
            };
            for (var served : callers.invokeAll(Collections.nCopies(CALLERS, call))) {
                served.get();
            }
        }
    }

    /** A body that fills every buffer on the way. */
    @ParameterizedTest
    @ValueSource(strings = {"Http1: a socket that is read no more", "Tls: a socket that is read no more"})
    @Execution(ExecutionMode.CONCURRENT)
    @Timeout(value = TEST_SECONDS_MAX, threadMode = ThreadMode.SEPARATE_THREAD)
    void theCallerOfOneThatReadsNothingIsTold(String behaviour) throws Exception {
        var url = upstreams.url(behaviour);
        assumeTrue(
                !url.startsWith("https") || variant.limits().breaksOffWritesOverTls(), "the JDK waits for the write");
        assertThat(RawRequest.post(gateway.port, url, new byte[BODY_BYTES], DEADLINE))
                .matches("HTTP/1.1 50[24].*");
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
        assertThat(body).isIn("ok", "");
    }

    private static void assertGoodUpstreamsAreServed() throws Exception {
        for (var behaviour : GOOD) {
            assertServed(upstreams.url(behaviour));
        }
    }

    private static void assertServed(String url) throws Exception {
        againIfCutOff(CONNECT, () -> assertThat(told(url)).isEqualTo(SERVED));
    }

    private interface Attempt {
        void make() throws Exception;
    }

    /**
     * Makes an attempt again that failed after it had lasted as long as this time-out of the gateway: on a starved machine a call may be cut off by a
     * time-out where another one is due, or none.
     */
    private static void againIfCutOff(Duration timeOut, Attempt attempt) throws Exception {
        var deadline = System.nanoTime() + DEADLINE.toNanos();
        while (true) {
            var started = System.nanoTime();
            try {
                attempt.make();
                return;
            } catch (AssertionError failure) {
                var isCutOff = since(started).compareTo(timeOut) >= 0;
                if (!isCutOff || System.nanoTime() >= deadline) {
                    throw failure;
                }
            }
        }
    }

    /** The answer to a call, or why there is none. */
    private static String told(String url) throws InterruptedException {
        try {
            var response = caller.call(url);
            return response.statusCode() + " " + body(response);
        } catch (IOException failure) {
            return failure.toString();
        }
    }

    private static String body(HttpResponse<InputStream> response) throws IOException {
        try (var body = response.body()) {
            return new String(body.readAllBytes(), ISO_8859_1);
        }
    }
}
