package plimsoll.gateway.blocking;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpStatus;
import org.apache.hc.core5.http.ProtocolException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultHttpResponseParser;
import org.apache.hc.core5.http.io.SessionInputBuffer;

/**
 * Reads the heads of one connection, and only what is HTTP. HttpClient's own parser skips what comes before a status line, takes the end of
 * the connection for the end of the head, and reads interim answers without end: none of its time-outs strikes, as it never waits.
 */
final class StrictHeads extends DefaultHttpResponseParser {

    private static final int INTERIM_ANSWERS_MAX = 100;

    /** Interim answers since the last final one. */
    private int interim;

    StrictHeads(Http1Config limits) {
        super(limits);
    }

    @Override
    public ClassicHttpResponse parse(SessionInputBuffer buffer, InputStream input) throws IOException, HttpException {
        var watched = new Watched(input);
        var response = super.parse(buffer, watched);
        if (response != null && watched.isAtEnd) {
            throw new ConnectionClosedException("the connection ended within a head");
        }
        interim = response != null && response.getCode() < HttpStatus.SC_SUCCESS ? interim + 1 : 0;
        if (interim > INTERIM_ANSWERS_MAX) {
            throw new ProtocolException("more than " + INTERIM_ANSWERS_MAX + " interim answers");
        }
        return response;
    }

    private static final class Watched extends FilterInputStream {

        private boolean isAtEnd;

        Watched(InputStream input) {
            super(input);
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            var read = super.read(buffer, offset, length);
            isAtEnd |= read < 0;
            return read;
        }
    }
}
