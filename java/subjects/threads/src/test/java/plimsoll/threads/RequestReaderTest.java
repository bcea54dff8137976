package plimsoll.threads;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestReaderTest {

    @Test
    void aRequestOfTheUsualKindIsRead() throws Exception {
        var request = reader("GET /greetings?a=b HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nX: \t ü \r\n\r\n")
                .read();

        assertThat(request).isEqualTo(new Request("GET", true, 0, false));
    }

    @Test
    void requestsOnOneConnectionAreReadOneByOneAndTheirBodiesSkipped() throws Exception {
        var reader = reader("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-Continue\r\n\r\nGET /"
                + "HEAD / HTTP/1.1\r\nhost:x\r\nConnection: foo, Close\r\n\r\n");

        var first = reader.read();
        assertThat(first).isEqualTo(new Request("POST", true, 5, true));
        reader.skipBody(first);
        assertThat(reader.read()).isEqualTo(new Request("HEAD", false, 0, false));
        assertThat(reader.read()).as("the client closed the connection").isNull();
    }

    @Test
    void olderClientsGetOneAnswerAndNeedNoHost() throws Exception {
        assertThat(reader("GET / HTTP/1.0\r\n\r\n").read()).isEqualTo(new Request("GET", false, 0, false));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hello                                              | 400",
                "GET  / HTTP/1.1\\r\\n                              | 400",
                "GET / HTTP/1.1 \\r\\n                              | 400",
                "G(T / HTTP/1.1\\r\\n                               | 400",
                "GET no-path HTTP/1.1\\r\\n                         | 400",
                "GET /\\1 HTTP/1.1\\r\\n                          | 400",
                "GET / HTTP/1.1\\nHost: x\\r\\n                     | 400",
                "GET / HTTP/1.1\\rHost: x\\r\\n                     | 400",
                "GET / FTP/1.1\\r\\n                                | 400",
                "GET / HTTP/2.0\\r\\n                               | 505",
                "GET / HTTP/1.1\\r\\n                               | 400",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\nHost: y\\r\\n     | 400",
                "GET / HTTP/1.1\\r\\nHost : x\\r\\n                 | 400",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\n folded: y\\r\\n  | 400",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\n: y\\r\\n         | 400",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\nA: \\0\\r\\n    | 400",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\nTransfer-Encoding: chunked\\r\\n                          | 501",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\nTransfer-Encoding: chunked\\r\\nContent-Length: 1\\r\\n   | 400",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 1\\r\\nContent-Length: 2\\r\\n            | 400",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: -1\\r\\n                                  | 400",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 0x10\\r\\n                                | 400",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 99999999999999999999\\r\\n                | 400",
                "GET / HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: 1048577\\r\\n                             | 413",
            })
    void whatTheRfcDoesNotAllowIsRefused(String head, int status) {
        assertThat(statusOf(head.translateEscapes() + "\r\n")).isEqualTo(status);
    }

    @Test
    void longHeadsAreRefusedBeforeTheyAreHeld() {
        var tooLong = "a".repeat(RequestReader.LINE_BYTES_MAX + 1);

        assertThat(statusOf("GET /" + tooLong)).isEqualTo(414);
        assertThat(statusOf("GET / HTTP/1.1\r\nHost: x\r\nA: " + tooLong)).isEqualTo(431);
        assertThat(statusOf("GET / HTTP/1.1\r\nHost: x\r\n" + "A: b\r\n".repeat(RequestReader.HEADERS_MAX) + "\r\n"))
                .isEqualTo(431);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"GET", "GET / HTTP/1.1\r\n", "GET / HTTP/1.1\r\nHost: x\r\nAcc", "GET / HTTP/1.1\r\nHost: x\r\n"
            })
    void aHeadThatIsCutOffIsNoRequest(String part) {
        assertThatThrownBy(() -> reader(part).read()).isInstanceOf(EOFException.class);
    }

    @Test
    void aBodyThatIsCutOffIsFound() throws Exception {
        var reader = reader("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nabc");
        var request = reader.read();

        assertThatThrownBy(() -> reader.skipBody(request)).isInstanceOf(EOFException.class);
    }

    private static int statusOf(String sent) {
        return catchThrowableOfType(Refusal.class, () -> reader(sent).read()).status.code;
    }

    private static RequestReader reader(String sent) {
        return new RequestReader(new ByteArrayInputStream(sent.getBytes(ISO_8859_1)));
    }
}
