package plimsoll.threads;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import plimsoll.threads.Refusal.Status;

/** Reads requests off a connection. Requests that RFC 9112 does not allow are refused, never guessed at. */
final class RequestReader {

    static final int LINE_BYTES_MAX = 8 * 1024;
    static final int HEADERS_MAX = 100;
    static final int BODY_BYTES_MAX = 1024 * 1024;

    private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
    private static final Pattern TARGET = Pattern.compile("(/|https?://)[!-~]*");
    private static final Pattern VERSION = Pattern.compile("HTTP/[0-9]\\.[0-9]");
    private static final Pattern FIELD_VALUE = Pattern.compile("[\\t -~\\x80-\\xFF]*");
    private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

    private final InputStream in;

    RequestReader(InputStream in) {
        this.in = new BufferedInputStream(in, 1024);
    }

    /**
     * Reads the head of the next request.
     *
     * @return null if the client closed the connection instead
     */
    Request read() throws IOException, Refusal {
        var line = readLine(Status.URI_TOO_LONG);
        if (line == null) {
            return null;
        }
        var parts = line.split(" ", -1);
        check(parts.length == 3, Status.BAD_REQUEST, "the request line is not METHOD TARGET VERSION");
        check(TOKEN.matcher(parts[0]).matches(), Status.BAD_REQUEST, "the method is no token");
        check(TARGET.matcher(parts[1]).matches(), Status.BAD_REQUEST, "the target is no path and no URL");
        check(VERSION.matcher(parts[2]).matches(), Status.BAD_REQUEST, "the request line does not end in a version");
        check(parts[2].startsWith("HTTP/1."), Status.VERSION_NOT_SUPPORTED, "only HTTP/1 is spoken here");
        return request(parts[0], !parts[2].equals("HTTP/1.0"), readHeaders());
    }

    private static Request request(String method, boolean isPersistent, Map<String, String> headers) throws Refusal {
        check(!isPersistent || headers.containsKey("host"), Status.BAD_REQUEST, "no Host");
        check(
                !headers.containsKey("transfer-encoding") || !headers.containsKey("content-length"),
                Status.BAD_REQUEST,
                "both Transfer-Encoding and Content-Length");
        check(!headers.containsKey("transfer-encoding"), Status.NOT_IMPLEMENTED, "bodies need a Content-Length here");
        var length = headers.getOrDefault("content-length", "0");
        check(
                LENGTH.matcher(length).matches(),
                Status.BAD_REQUEST,
                "Content-Length is no number, or there are several");
        check(Long.parseLong(length) <= BODY_BYTES_MAX, Status.CONTENT_TOO_LARGE, "the body is over 1 MiB");
        var connection = headers.getOrDefault("connection", "").toLowerCase(Locale.ROOT);
        var expectsContinue = headers.getOrDefault("expect", "").equalsIgnoreCase("100-continue");
        return new Request(
                method, isPersistent && !hasToken(connection, "close"), Integer.parseInt(length), expectsContinue);
    }

    /** Takes the body off the connection, so that the next request can be read. */
    void skipBody(Request request) throws IOException {
        in.skipNBytes(request.bodyBytes());
    }

    /** Fields by their lower-case names; those that come several times are joined as a list. */
    private Map<String, String> readHeaders() throws IOException, Refusal {
        var headers = new HashMap<String, String>();
        for (var count = 0; ; count++) {
            var line = readLine(Status.HEAD_TOO_LARGE);
            if (line == null) {
                throw new EOFException("the client closed the connection within the head");
            }
            if (line.isEmpty()) {
                return headers;
            }
            check(count < HEADERS_MAX, Status.HEAD_TOO_LARGE, "more than " + HEADERS_MAX + " header fields");
            addHeader(headers, line);
        }
    }

    private static void addHeader(Map<String, String> headers, String line) throws Refusal {
        var colon = line.indexOf(':');
        // This refuses folded lines too: they begin with a space, which no name has.
        check(
                colon > 0 && TOKEN.matcher(line.substring(0, colon)).matches(),
                Status.BAD_REQUEST,
                "a header line is not NAME: VALUE");
        var name = line.substring(0, colon).toLowerCase(Locale.ROOT);
        var value = line.substring(colon + 1).strip();
        check(FIELD_VALUE.matcher(value).matches(), Status.BAD_REQUEST, "a header value has control characters");
        check(!name.equals("host") || !headers.containsKey(name), Status.BAD_REQUEST, "Host comes twice");
        headers.merge(name, value, (first, second) -> first + "," + second);
    }

    /**
     * Reads up to the next CR LF.
     *
     * @param whenTooLong the answer to a line of more than {@link #LINE_BYTES_MAX}
     * @return null if the client closed the connection before the first byte
     */
    private String readLine(Status whenTooLong) throws IOException, Refusal {
        var line = new ByteArrayOutputStream(64);
        for (int next = in.read(); next != '\r'; next = in.read()) {
            if (next < 0 && line.size() == 0) {
                return null;
            }
            if (next < 0) {
                throw new EOFException("the client closed the connection within a line");
            }
            check(next != '\n', Status.BAD_REQUEST, "a line ends in LF without CR");
            check(line.size() < LINE_BYTES_MAX, whenTooLong, "a line is over " + LINE_BYTES_MAX + " bytes");
            line.write(next);
        }
        check(in.read() == '\n', Status.BAD_REQUEST, "a CR without LF");
        return line.toString(ISO_8859_1);
    }

    private static boolean hasToken(String list, String token) {
        for (var element : list.split(",")) {
            if (element.strip().equals(token)) {
                return true;
            }
        }
        return false;
    }

    private static void check(boolean holds, Status otherwise, String reason) throws Refusal {
        if (!holds) {
            throw new Refusal(otherwise, reason);
        }
    }
}
