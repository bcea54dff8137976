package plimsoll.gateway.blocking;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.SessionInputBufferImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictHeadsTest {

    private static final String ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    private static final String INTERIM = "HTTP/1.1 100 Continue\r\n\r\n";

    @Test
    void aHeadIsRead() throws Exception {
        assertThat(lastOf(1, ANSWER).getCode()).isEqualTo(200);
        assertThat(lastOf(1, "\r\n" + ANSWER).getCode()).isEqualTo(200);
        assertThat(lastOf(1, "")).isNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK"})
    void theEndOfTheConnectionIsNotThatOfTheHead(String bytes) {
        assertThatThrownBy(() -> lastOf(1, bytes)).isInstanceOf(ConnectionClosedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"garbage\r\n", "SSH-2.0-OpenSSH_9.9\r\n", "<html>\r\n"})
    void nothingIsSkippedBeforeTheStatusLine(String before) {
        assertThatThrownBy(() -> lastOf(1, before + ANSWER)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void interimAnswersHaveAnEnd() throws Exception {
        var most = INTERIM.repeat(100) + ANSWER;

        assertThat(lastOf(202, most + most).getCode()).isEqualTo(200);
        assertThatThrownBy(() -> lastOf(101, INTERIM.repeat(101)))
                .isInstanceOf(ProtocolException.class)
                .hasMessage("more than 100 interim answers");
    }

    /** The last of so many heads of one connection; null if there is none. */
    private static ClassicHttpResponse lastOf(int heads, String bytes) throws Exception {
        var parser = new StrictHeads(Http1Config.DEFAULT);
        var buffer = new SessionInputBufferImpl(8192);
        var input = new ByteArrayInputStream(bytes.getBytes(ISO_8859_1));
        ClassicHttpResponse last = null;
        for (var head = 0; head < heads; head++) {
            last = parser.parse(buffer, input);
        }
        return last;
    }
}
