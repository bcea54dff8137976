package plimsoll.gateway.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.http.HttpHeaders;
import plimsoll.gateway.call.ForwardedHeaders.Caller;

class ForwardedHeadersTest {

    private static final Caller CALLER = new Caller("10.1.2.3", "http", "gateway.bank:8080");

    @Test
    void headersOfTheConnectionStayBehind() {
        var received = headers(
                "Connection", "close, X-Mine,x-other",
                "X-Mine", "1",
                "X-Other", "2",
                "Keep-Alive", "timeout=5",
                "Transfer-Encoding", "chunked",
                "TE", "trailers",
                "Trailer", "X-Sum",
                "Upgrade", "h2c",
                "HTTP2-Settings", "AAMAAABk",
                "Proxy-Authorization", "Basic eDp5",
                "Proxy-Connection", "keep-alive",
                "Expect", "100-continue",
                "Host", "gateway.bank:8080",
                "X-Target-Url", "https://example.com/",
                "Accept", "text/plain");

        var passedOn = ForwardedHeaders.toUpstream(received, CALLER);

        assertThat(passedOn.headerNames())
                .containsExactlyInAnyOrder("Accept", "Via", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host");
    }

    @Test
    void theFramingOfTheBodyCannotBeTakenAway() {
        var received = headers("Connection", "Content-Length", "Content-Length", "3");

        assertThat(ForwardedHeaders.toUpstream(received, CALLER).getContentLength())
                .isEqualTo(3);
    }

    @Test
    void theGatewayAddsItselfToWhoCameBefore() {
        var received = headers("Via", "1.1 first", "Via", "1.0 second");

        var passedOn = ForwardedHeaders.toUpstream(received, CALLER);

        assertThat(passedOn.get("Via")).containsExactly("1.1 first, 1.0 second, 1.1 plimsoll-gateway");
    }

    @Test
    void whoAskedIsForTheGatewayToSay() {
        var received = headers(
                "X-Forwarded-For", "192.0.2.1",
                "X-Forwarded-Host", "internal",
                "x-forwarded-prefix", "/admin",
                "X-Real-IP", "192.0.2.1",
                "Forwarded", "for=192.0.2.1",
                "X_Forwarded_For", "192.0.2.1",
                "Transfer_Encoding", "chunked");

        var passedOn = ForwardedHeaders.toUpstream(received, CALLER);

        assertThat(passedOn.headerNames())
                .containsExactlyInAnyOrder("Via", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host");
        assertThat(passedOn.get("X-Forwarded-For")).containsExactly("10.1.2.3");
        assertThat(passedOn.get("X-Forwarded-Proto")).containsExactly("http");
        assertThat(passedOn.get("X-Forwarded-Host")).containsExactly("gateway.bank:8080");
    }

    @Test
    void answersKeepEveryCookieAndLoseTheConnection() {
        var answered = headers(
                "Set-Cookie", "a=1",
                "Set-Cookie", "b=2",
                "Connection", "keep-alive",
                "Keep-Alive", "timeout=5",
                "Proxy-Authenticate", "Basic",
                "Content-Length", "5");

        var passedOn = ForwardedHeaders.toCaller(200, answered);

        assertThat(passedOn.headerNames()).containsExactlyInAnyOrder("Set-Cookie", "Via", "Content-Length");
        assertThat(passedOn.get("Set-Cookie")).isEqualTo(List.of("a=1", "b=2"));
        assertThat(ForwardedHeaders.toCaller(304, answered).headerNames()).doesNotContain("Content-Length");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "X ", "X\0", "(X)", "X:Y", "\u00dcber", "X\r\nY", "\u00c3\u009cber"})
    void aNameThatIsNoTokenIsPassedOnToNobody(String name) {
        assertPassedOnToNobody(headers("Accept", "text/plain", name, "1"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\0b", "a\nY: b", "a\rY: b", "\u001b[2J", "\u007f", "\u0001"})
    void aControlCharacterIsPassedOnToNobody(String value) {
        assertPassedOnToNobody(headers("Accept", "text/plain", "X", value));
    }

    private static void assertPassedOnToNobody(HttpHeaders headers) {
        assertThatThrownBy(() -> ForwardedHeaders.toCaller(200, headers))
                .isInstanceOfSatisfying(
                        CallFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.PROTOCOL));
        assertThatThrownBy(() -> ForwardedHeaders.toUpstream(headers, CALLER))
                .isInstanceOfSatisfying(
                        CallFailure.class,
                        failure -> assertThat(failure.reason()).isEqualTo(Reason.BAD_REQUEST));
    }

    @Test
    void tabsAndBytesBeyondAsciiArePassedOn() {
        var headers = headers("X-Tab", "a\tb", "X_!#$%&'*+.^`|~9", "\u00c3\u00a9\u009f", "X-Empty", "");

        var passedOn = ForwardedHeaders.toCaller(200, headers);

        assertThat(headers.headerNames())
                .allSatisfy(name -> assertThat(passedOn.get(name)).isEqualTo(headers.get(name)));
    }

    @Test
    void theLengthOfAnAnswerInChunksStaysBehind() {
        var answered = headers("Content-Length", "1", "Transfer-Encoding", "Chunked");

        assertThat(ForwardedHeaders.toCaller(200, answered).headerNames()).containsExactly("Via");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "chunked, gzip", "gzip, chunked", "chunked,chunked", "identity", ""})
    void anAnswerInOtherCodingsThanChunksIsRefused(String coding) {
        var answered = headers("Transfer-Encoding", coding);

        assertThatThrownBy(() -> ForwardedHeaders.toCaller(200, answered)).isInstanceOf(CallFailure.class);
    }

    @Test
    void aHeadThatTheServerCouldNotSendIsRefused() {
        assertThat(ForwardedHeaders.toCaller(200, headers("X", "y".repeat(7_000)))
                        .getFirst("X"))
                .hasSize(7_000);
        assertThatThrownBy(() -> ForwardedHeaders.toCaller(200, headers("X", "y".repeat(8_000))))
                .isInstanceOf(CallFailure.class)
                .hasMessageContaining("8005 bytes");
    }

    private static HttpHeaders headers(String... namesAndValues) {
        var headers = new HttpHeaders();
        for (var i = 0; i < namesAndValues.length; i += 2) {
            headers.add(namesAndValues[i], namesAndValues[i + 1]);
        }
        return headers;
    }
}
