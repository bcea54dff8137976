package plimsoll.contract;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A request that two readers could understand in two ways leads to no call that either of them did not mean. */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#everyServer")
record GatewaySmugglingIT(GatewayVariant variant) {

    private static final String OPEN = "POST /call HTTP/1.1\r\nHost: gateway\r\n{close}X-Target-Url: {target}\r\n";
    private static final String SMUGGLED =
            "GET /call HTTP/1.1\r\nHost: gateway\r\nX-Target-Url: {target}smuggled\r\n\r\n";

    /** Calls that reached the upstream, each with its body whole: the path, and the headers. */
    private static final Queue<Call> CALLS = new ConcurrentLinkedQueue<>();

    private static RunningSubject gateway;
    private static HttpServer upstream;

    private record Call(String path, Headers headers) {}

    @BeforeParameterizedClassInvocation
    static void launch(GatewayVariant variant) throws Exception {
        gateway = variant.launch("smuggling", "--gateway.allowed-hosts=*", "--gateway.allow-private-addresses=true");
        upstream = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 50);
        upstream.createContext("/", GatewaySmugglingIT::serve);
        upstream.start();
    }

    private static void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            CALLS.add(new Call(exchange.getRequestURI().getPath(), exchange.getRequestHeaders()));
            exchange.sendResponseHeaders(200, -1);
        }
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        upstream.stop(0);
        gateway.close();
    }

    @BeforeEach
    void forget() {
        CALLS.clear();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 4\r\nContent-Length: 5\r\n\r\nhello",
                "Content-Length: 4, 5\r\n\r\nhello",
                "Content-Length: +5\r\n\r\nhello",
                "Content-Length: -5\r\n\r\nhello",
                "Content-Length: 0x5\r\n\r\nhello",
                "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: identity, chunked, identity\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                " X-Space: a\r\nContent-Length: 0\r\n\r\n",
                "X Space: a\r\nContent-Length: 0\r\n\r\n",
                "X-Nul: a\0b\r\nContent-Length: 0\r\n\r\n",
                "X-Cr: a\rX-Smuggled: b\r\nContent-Length: 0\r\n\r\n",
                "X-No-Colon\r\nContent-Length: 0\r\n\r\n",
                ": no name\r\nContent-Length: 0\r\n\r\n",
                "Host: other\r\nContent-Length: 0\r\n\r\n",
                "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
            })
    void refusesWhatIsNoHttp(String rest) throws Exception {
        assertRefused(OPEN + rest);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-5\r\nhello\r\n0\r\n\r\n", "5\r\nhello5\r\nhello\r\n0\r\n\r\n"})
    void passesOnNoBodyOfBadChunks(String body) throws Exception {
        assertThat(send(OPEN + "Transfer-Encoding: chunked\r\n\r\n" + body)).doesNotContain("HTTP/1.1 200");
        // A refusal may overtake what went to the upstream.
        Thread.sleep(500);
        assertThat(CALLS).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /call\r\nX-Smuggled: 1 HTTP/1.1\r\nHost: gateway\r\n\r\n",
                "GET /call?url={target}\rX-Smuggled: 1 HTTP/1.1\r\nHost: gateway\r\n\r\n",
                "GET /call?url={target}\0 HTTP/1.1\r\nHost: gateway\r\n\r\n",
                "GET /call HTTP/1.1\r\nHost: gateway\r\nX-Target-Url: {target}\rX-Smuggled: 1\r\n\r\n",
                "GET /call HTTP/1.1\r\nHost: gateway\r\nX-Target-Url: {target}\r\n /folded\r\n\r\n",
                "GET /call HTTP/1.1\r\nX-Target-Url: {target}\r\n\r\n",
            })
    void refusesRequestLinesAndTargetsWithSomethingInThem(String request) throws Exception {
        assertRefused(request);
    }

    /** RFC 9112, 6.1: to refuse it, or to read the chunks and close the connection. The gateway does not read on after them. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n",
                "Content-Length: 150\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
            })
    void readsNothingAfterChunksThatCameWithALength(String rest) throws Exception {
        var answer = send(OPEN + rest + SMUGGLED);

        assertThat(answer).containsPattern("^HTTP/1.1 (200|400) ").doesNotContainPattern("(?s)HTTP/1.1 .*HTTP/1.1 ");
        assertThat(CALLS).extracting(Call::path).isSubsetOf("/");
    }

    /** RFC 9112, 5.2: to refuse it, or to put a space in the place of the fold. */
    @ParameterizedTest
    @ValueSource(strings = {" ", "\t"})
    void passesOnNoFold(String space) throws Exception {
        var answer = send(OPEN + "X-Folded: a\r\n" + space + "X-Smuggled: b\r\nContent-Length: 0\r\n\r\n");

        assertThat(answer).containsPattern("^HTTP/1.1 (200|400)");
        assertThat(CALLS).allSatisfy(call -> {
            assertThat(call.headers()).doesNotContainKey("X-smuggled");
            assertThat(call.headers().getFirst("X-Folded")).matches("a +X-Smuggled: b");
        });
    }

    /** Or all of the above would be refused for another reason. */
    @Test
    void servesWhatIsRight() throws Exception {
        var body = "Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";

        assertThat(send(OPEN + body)).startsWith("HTTP/1.1 200");
        assertThat(CALLS).extracting(Call::path).containsExactly("/");
    }

    private static void assertRefused(String request) throws IOException {
        assertThat(send(request)).doesNotContain("HTTP/1.1 200", "HTTP/1.1 500");
        assertThat(CALLS).as("calls that reached the upstream").isEmpty();
    }

    private static String send(String request) throws IOException {
        var target = "http://127.0.0.1:" + upstream.getAddress().getPort() + "/";
        var closing = request.contains(SMUGGLED) ? "" : "Connection: close\r\n";
        return RawRequest.sendAndAwait(
                gateway.port, request.replace("{close}", closing).replace("{target}", target));
    }
}
