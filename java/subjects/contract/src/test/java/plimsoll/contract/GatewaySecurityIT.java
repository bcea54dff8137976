package plimsoll.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A gateway that may call every host is still no way into the network that it stands in. */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#everyClient")
record GatewaySecurityIT(GatewayVariant variant) {

    private static RunningSubject gateway;
    private static GatewayCaller caller;
    private static Trap trap;

    @BeforeParameterizedClassInvocation
    static void launch(GatewayVariant variant) throws Exception {
        gateway = variant.launch("security", "--gateway.allowed-hosts=*");
        caller = new GatewayCaller(gateway);
        trap = new Trap();
    }

    @AfterParameterizedClassInvocation
    static void stop() throws Exception {
        trap.close();
        caller.close();
        gateway.close();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "127.0.0.1",
                "127.0.0.1.",
                "127.255.255.254",
                "127.1",
                "127.0.1",
                "2130706433",
                "0x7f000001",
                "0x7F.0.0.1",
                "0x7f.1",
                "0177.0.0.1",
                "0177.1",
                "017700000001",
                "00000177.0.0.1",
                "0.0.0.0",
                "0",
                "10.0.0.1",
                "100.64.0.1",
                "168.63.129.16",
                "169.254.169.254",
                "0xa9fea9fe",
                "172.16.0.1",
                "172.31.255.255",
                "192.168.0.1",
                "255.255.255.255",
                "224.0.0.1",
                "[::1]",
                "[::]",
                "[0:0:0:0:0:0:0:1]",
                "[::127.0.0.1]",
                "[::ffff:127.0.0.1]",
                "[::ffff:0:127.0.0.1]",
                "[2001:0:7f00:1::]",
                "[2606:4700::5efe:127.0.0.1]",
                "[4000::1]",
                "[::ffff:7f00:1]",
                "[::ffff:169.254.169.254]",
                "[64:ff9b::7f00:1]",
                "[2002:7f00:1::]",
                "[fc00::1]",
                "[fdff::1]",
                "[fe80::1]",
                "[fe80::1%25lo]",
                "localhost",
                "LOCALHOST",
                "localhost.",
            })
    void refusesAddressesThatAreNotPublic(String host) throws Exception {
        assertRefused("http://" + host + ":" + trap.port() + "/");
        assertRefused("https://" + host + ":" + trap.port() + "/");
    }

    @ParameterizedTest
    @MethodSource("namesOfPrivateAddresses")
    void refusesNamesOfAddressesThatAreNotPublic(String name) throws Exception {
        for (var scheme : List.of("http", "https")) {
            var request = caller.request(scheme + "://" + name + ":" + trap.port() + "/");
            var response = caller.send(request.build(), BodyHandlers.ofString());

            assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
            // The JDK's own clients, and its cache, keep of a refused name no more than that it has no address.
            assertThat(response.body()).containsAnyOf("\"not-allowed\"", "\"unknown-host\"");
            assertThat(trap.caught()).isZero();
        }
    }

    /** Names that this machine knows without asking anybody. */
    static Stream<String> namesOfPrivateAddresses() throws IOException {
        var hosts = Path.of("/etc/hosts");
        var lines = Files.exists(hosts) ? Files.readAllLines(hosts) : List.of("127.0.0.1 localhost");
        return lines.stream()
                .map(line -> line.replaceFirst("#.*", "").strip().split("\\s+"))
                .filter(fields -> fields[0].matches("(127|10|192\\.168|169\\.254)\\..*|::1|f[cde].*:.*"))
                .flatMap(fields -> Stream.of(fields).skip(1))
                .distinct();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "file:///etc/passwd",
                "ftp://example.com/",
                "jar:http://example.com/a.jar!/b",
                "gopher://example.com/",
                "mailto:root@example.com",
                "data:text/plain,secret",
                "javascript:1",
                "//example.com/",
                "/etc/passwd",
                "example.com",
                "http:/example.com/",
                "http:///secret",
                "http://",
                "http://user:password@example.com/",
                "http://user@example.com/",
                "http://@example.com/",
                "http://example.com:0/",
                "http://example.com:65536/",
                "http://example.com:/",
                "http://exa mple.com/",
                "http://example.com/a b",
                "http://example.com\\@localhost/",
                "http://[::1/",
            })
    void refusesWhatIsNoUrlToCall(String url) throws Exception {
        assertRefused(url);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.com/\r\nX-Smuggled: 1",
                "http://example.com/ HTTP/1.1\r\nX-Smuggled: 1\r\n",
                "http://example.com\r\nX-Smuggled: 1/",
                "http://example.com/?a=\nb",
                "http://example.com/\0",
                "http://example.com/\u010d\u010aX-Smuggled: 1",
            })
    void refusesLineBreaksInTheTarget(String url) throws Exception {
        var request = HttpRequest.newBuilder(gateway.uri("/call?url=" + URLEncoder.encode(url, UTF_8)));

        assertRefused(caller.send(request.build(), BodyHandlers.ofString()));
    }

    @Test
    void refusesMoreThanOneTarget() throws Exception {
        var request = caller.request("http://example.com/").header("X-Target-Url", "http://example.com/");

        assertRefused(caller.send(request.build(), BodyHandlers.ofString()));
    }

    private static void assertRefused(String url) throws IOException, InterruptedException {
        assertRefused(caller.send(caller.request(url).build(), BodyHandlers.ofString()));
    }

    private static void assertRefused(HttpResponse<String> response) {
        assertThat(response.statusCode()).as(response.body()).isIn(400, 403);
        assertThat(response.headers().firstValue("Content-Type")).hasValue("application/problem+json");
        assertThat(trap.caught()).as("connections to what must not be called").isZero();
    }
}
