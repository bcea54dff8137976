package plimsoll.contract;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Through every gateway an upstream is asked the same, and answers the same, as without one: byte for byte, but for the headers
 * that an intermediary takes away and adds.
 */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#clientsUnlessSlow")
class GatewayContractIT {

    /** Headers of one connection, or the gateway's own. */
    private static final Set<String> NOT_COMPARED =
            Set.of("date", "via", "connection", "keep-alive", "transfer-encoding");

    /** By then an answer that has not come will not come, also on a busy machine. */
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private static final Duration ANSWER = Duration.ofSeconds(4);

    private static RunningSubject gateway;
    private static GatewayCaller caller;
    private static EchoServer upstream;

    private final ClientLimits limits;

    GatewayContractIT(GatewayVariant variant) {
        limits = variant.limits();
    }

    @BeforeParameterizedClassInvocation
    static void launch(GatewayVariant variant) throws Exception {
        upstream = new EchoServer();
        gateway = variant.launch(
                "contract",
                "--gateway.allowed-hosts=127.0.0.1,localhost,no-such-host.invalid",
                "--gateway.allow-private-addresses=true",
                "--gateway.timeouts.answer=" + ANSWER.toSeconds() + "s");
        caller = new GatewayCaller(gateway);
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        caller.close();
        gateway.close();
        upstream.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
    void everyMethodPasses(String method) throws Exception {
        if (limits.sends(method)) {
            assertSame(upstream.url("/echo/path?a=b"), request -> request.method(method, BodyPublishers.noBody()));
        } else {
            assertNotSupported(request -> request.method(method, BodyPublishers.noBody()), "cannot send " + method);
        }
    }

    @Test
    void bodiesOfNothingPass() throws Exception {
        assertSame(upstream.url("/echo"), request -> request.POST(BodyPublishers.ofByteArray(new byte[0])));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 64 * 1024, 5_000_000})
    void requestBodiesPass(int size) throws Exception {
        var body = EchoServer.content(size);

        assertSame(
                upstream.url("/echo"),
                request -> request.header("Content-Type", "image/png").POST(BodyPublishers.ofByteArray(body)));
        assertSame(
                upstream.url("/echo"),
                request -> request.header("Content-Type", "image/png")
                        .PUT(BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(body))));
    }

    /** Many times: one in thirty fails in a client that is told of the end before it has asked for anything. */
    @Test
    void chunksThatTurnOutToBeNonePass() throws Exception {
        Change chunksOfNothing = request ->
                request.header("Content-Type", "image/png").PUT(BodyPublishers.fromPublisher(BodyPublishers.noBody()));
        var url = upstream.url("/echo");
        var direct = told(
                send(chunksOfNothing.on(HttpRequest.newBuilder(URI.create(url))).build()));

        for (int call = 0; call < 50; call++) {
            assertThat(told(send(chunksOfNothing.on(caller.request(url)).build())))
                    .isEqualTo(direct);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"DELETE", "OPTIONS", "GET", "PATCH"})
    void bodiesPassWithMethodsThatSeldomHaveOne(String method) throws Exception {
        if (limits.sendsBodyWith(method)) {
            assertSame(
                    upstream.url("/echo"),
                    request -> request.header("Content-Type", "text/plain")
                            .method(method, BodyPublishers.ofString("body")));
        } else {
            assertNotSupported(request -> request.method(method, BodyPublishers.ofString("body")), "cannot send");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 64 * 1024, 5_000_000})
    void answersPass(int size) throws Exception {
        assertSame(upstream.url("/bytes/fixed/" + size), request -> request);
        assertSame(upstream.url("/bytes/chunked/" + size), request -> request);
        assertSame(upstream.url("/bytes/fixed/" + size), HttpRequest.Builder::HEAD);
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 201, 204, 206, 301, 302, 304, 307, 400, 401, 404, 429, 500, 503})
    void everyStatusPasses(int status) throws Exception {
        assertSame(upstream.url("/status/" + status), request -> request);
    }

    @ParameterizedTest
    @ValueSource(ints = {201, 204, 303, 404, 413, 500})
    void everyStatusPassesAfterABody(int status) throws Exception {
        assertSame(upstream.url("/status/" + status), request -> request.POST(BodyPublishers.ofString("body")));
    }

    /** {@code HttpURLConnection} drops the answer's body. */
    @Test
    void a401PassesAfterABody() throws Exception {
        var answer = send(caller.request(upstream.url("/status/401"))
                .POST(BodyPublishers.ofString("body"))
                .build());

        assertThat(answer.statusCode()).isEqualTo(401);
        assertThat(answer.headers().firstValue("WWW-Authenticate")).hasValue("Basic realm=\"upstream\"");
        assertThat(answer.body()).asString(UTF_8).isEqualTo(limits.isUrlConnection() ? "" : "the body of a 401\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/gzip", "/gzip/chunked", "/headers"})
    void whatIsPackedStaysSoAndHeadersPass(String path) throws Exception {
        assertSame(upstream.url(path), request -> request);
        assertSame(upstream.url(path), request -> request.header("Accept-Encoding", "gzip, br"));
    }

    @Test
    void requestHeadersPass() throws Exception {
        assertSame(
                upstream.url("/echo"),
                request -> request.header("Accept-Language", "ko, en;q=0.5")
                        .header("Authorization", "Bearer abc")
                        .header("Content-Encoding", "gzip")
                        .header("Content-Type", "application/json")
                        .header("Cookie", "a=1; b=2")
                        .header("If-None-Match", "\"v1\", \"v2\"")
                        .header("Origin", "https://example.com")
                        .header("Access-Control-Request-Method", "PUT")
                        .header("Range", "bytes=0-99")
                        .header("Warning", "199 - \"{braces}\"")
                        .header("X-Empty", "")
                        .header("X-Json", "{\"a\": [1, 2], \"b\": \"{c}\"}")
                        .POST(BodyPublishers.ofString("not really packed")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/echo/",
                "/echo/a%2Fb%20c%3F",
                "/echo/a;b=c,d/$&'()*+:@!~",
                "/echo?a=b&a=c&d&=e&f=",
                "/echo?a=b;c=d&e=%26%3D%25%2B+%20",
                "/echo?q=%EC%98%81&json=%7B%22a%22%3A1%7D",
                "/echo/%ED%95%9C%EA%B0%95",
                "/echo//b",
            })
    void urlsPassAsTheyAre(String path) throws Exception {
        assertSame(upstream.url(path), request -> request);
    }

    /** The gateway passes on the methods that HTTP itself has, but for those that are for proxies. */
    @ParameterizedTest
    @ValueSource(strings = {"PROPFIND", "TRACE"})
    void otherMethodsAreRefused(String method) throws Exception {
        var answer = send(caller.request(upstream.url("/echo"))
                .method(method, BodyPublishers.noBody())
                .build());

        assertThat(answer.statusCode()).isIn(400, 405, 501);
    }

    @Test
    void targetsMayBeParametersAndNeedNotBeAscii() throws Exception {
        var target = upstream.url("/echo/한강?q=ü");

        var byParameter = send(HttpRequest.newBuilder(gateway.uri("/call?url=" + URLEncoder.encode(target, UTF_8)))
                .build());

        assertThat(new String(byParameter.body(), UTF_8)).startsWith("GET /echo/%ED%95%9C%EA%B0%95?q=%C3%BC\n");
    }

    @Test
    void theUpstreamIsToldWhoAsked() throws Exception {
        var request = caller.request(upstream.url("/echo"))
                .header("Via", "1.1 first")
                .header("X-Forwarded-For", "192.0.2.1")
                .header("X-Forwarded-Host", "internal")
                .header("X-Forwarded-Prefix", "/admin")
                .header("X-Real-IP", "192.0.2.1")
                .header("Forwarded", "for=192.0.2.1")
                .header("Transfer_Encoding", "chunked")
                .header("Proxy-Authorization", "Basic eDp5")
                .header("TE", "trailers");

        var answer = send(request.build());

        assertThat(new String(answer.body(), UTF_8))
                .contains("Via: 1.1 first, 1.1 plimsoll-gateway\n")
                .contains("X-forwarded-for: 127.0.0.1\n")
                .contains("X-forwarded-proto: http\n")
                .contains("X-forwarded-host: 127.0.0.1:" + gateway.port + "\n")
                .doesNotContain("X-target-url", "Proxy-authorization", "Te:")
                .doesNotContain("192.0.2.1", "internal", "admin", "_");
        assertThat(answer.headers().firstValue("Via")).hasValue("1.1 plimsoll-gateway");
    }

    @Test
    void answersAreNotHeldBack() throws Exception {
        var firstHalfSeen = new CountDownLatch(1);
        upstream.holdBack(firstHalfSeen);

        var body = caller.send(caller.request(upstream.url("/slow")).build(), BodyHandlers.ofInputStream())
                .body();

        assertThat(body.readNBytes(6)).asString(UTF_8).isEqualTo("first ");
        firstHalfSeen.countDown();
        assertThat(body.readAllBytes()).asString(UTF_8).isEqualTo("second");
    }

    @Test
    void connectionsAreUsedAgain() throws Exception {
        try (var fresh = new EchoServer()) {
            caller.assertConnectionsAreUsedAgain(fresh);
        }
    }

    @ParameterizedTest
    @EnumSource(Refusal.class)
    void failuresHaveAReason(Refusal refusal) throws Exception {
        var url = refusal.url.startsWith("/") ? upstream.url(refusal.url) : refusal.url;

        var answer = send(caller.request(url).build());

        assertThat(answer.statusCode()).isEqualTo(refusal.status);
        assertThat(answer.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(new String(answer.body(), UTF_8))
                .contains("\"reason\":\"" + refusal.reason + "\"")
                .contains("\"status\":" + refusal.status);
    }

    private enum Refusal {
        NO_URL("nowhere", 400, "bad-target"),
        ANOTHER_SCHEME("ftp://127.0.0.1/", 403, "not-allowed"),
        ANOTHER_HOST("http://example.com/", 403, "not-allowed"),
        UNKNOWN_HOST("http://no-such-host.invalid/", 502, "unknown-host"),
        NOBODY_LISTENS("http://127.0.0.1:1/", 502, "connect-refused"),
        SILENCE("/silent", 504, "response-timeout");

        private final String url;
        private final int status;
        private final String reason;

        Refusal(String url, int status, String reason) {
            this.url = url;
            this.status = status;
            this.reason = reason;
        }
    }

    @Test
    void theCallsAndThePoolAreMeasured() throws Exception {
        send(caller.request(upstream.url("/echo")).build());

        caller.awaitZero("gateway_calls_active", PATIENCE);
        var page = caller.metrics();
        assertThat(page).contains("gateway_calls_seconds_count{outcome=\"2xx\"}");
        assertThat(page.contains("gateway_pool_leased 0")).isEqualTo(limits.hasPool());
    }

    /** Whatever is answered then, if anything: the call does not wait for the rest. */
    @Test
    void aBodyThatBreaksEndsTheCall() throws Exception {
        RawRequest.send(gateway.port, RawRequest.chunkedPost(upstream.url("/echo")) + "5\r\nhello\r\nno chunk\r\n");

        caller.awaitZero("gateway_calls_active", PATIENCE);
    }

    @Test
    void aBodyThatBeginsLateLeavesTheTimeOutInForce() throws Exception {
        var deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!isTimedOutThoughItsBodyBeginsLate()) {
            assertThat(System.nanoTime()).as("a body could begin in time").isLessThan(deadline);
        }
    }

    /** False if the body began too late to say anything, on a starved machine: the gateway may have closed the connection before. */
    private static boolean isTimedOutThoughItsBodyBeginsLate() throws Exception {
        try (var socket = new Socket(InetAddress.getLoopbackAddress(), gateway.port)) {
            socket.setSoTimeout((int) PATIENCE.toMillis());
            var started = System.nanoTime();
            socket.getOutputStream()
                    .write(RawRequest.chunkedPost(upstream.url("/silent")).getBytes(ISO_8859_1));
            Thread.sleep(1_500);
            if (System.nanoTime() - started > ANSWER.toNanos() / 2) {
                return false;
            }
            socket.getOutputStream().write("5\r\nhello\r\n0\r\n\r\n".getBytes(ISO_8859_1));

            var answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), ISO_8859_1)).readLine();
            assertThat(answer).startsWith("HTTP/1.1 504");
            return true;
        }
    }

    private interface Change {
        HttpRequest.Builder on(HttpRequest.Builder request);
    }

    private void assertSame(String url, Change change) throws IOException, InterruptedException {
        var direct = send(change.on(HttpRequest.newBuilder(URI.create(url))).build());
        var through = send(change.on(caller.request(url)).build());

        assertThat(through.statusCode())
                .as(new String(through.body(), ISO_8859_1))
                .isEqualTo(direct.statusCode());
        if (url.contains("/echo")) {
            assertThat(limits.withoutInventedType(told(through))).isEqualTo(told(direct));
        } else {
            assertThat(compared(through)).isEqualTo(compared(direct));
            assertThat(through.body()).isEqualTo(direct.body());
        }
    }

    private void assertNotSupported(Change change, String detail) throws IOException, InterruptedException {
        var answer = send(change.on(caller.request(upstream.url("/echo"))).build());

        assertThat(answer.statusCode()).isEqualTo(501);
        assertThat(new String(answer.body(), UTF_8)).contains("\"reason\":\"not-supported\"", detail);
    }

    /** Once more where the gateway waited in vain: a busy machine may stand still for as long. */
    private static HttpResponse<byte[]> send(HttpRequest request) throws IOException, InterruptedException {
        var started = System.nanoTime();
        var response = caller.send(request, BodyHandlers.ofByteArray());
        var isCutOff = response.statusCode() == 504 && System.nanoTime() - started >= ANSWER.toNanos();
        return isCutOff ? caller.send(request, BodyHandlers.ofByteArray()) : response;
    }

    /** The headers that must be the same. The spelling of the media type's parameters may differ. */
    private static TreeMap<String, List<String>> compared(HttpResponse<byte[]> response) {
        var headers = new TreeMap<>(response.headers().map());
        headers.keySet().removeAll(NOT_COMPARED);
        headers.computeIfPresent(
                "content-type",
                (name, values) ->
                        values.stream().map(value -> value.replace("; ", ";")).toList());
        if (response.body().length == 0) {
            // As good as an empty chunk. The length of what HEAD does not get is compared.
            headers.remove("content-length", List.of("0"));
        }
        return headers;
    }

    /** The request as the upstream tells it, without what the gateway adds, and with no body as good as one of length 0. */
    private static String told(HttpResponse<byte[]> response) {
        return new String(response.body(), UTF_8)
                .replaceAll("(?m)^(Via: .*|X-forwarded-\\w+: .*|Content-length: 0)\n", "");
    }
}
