package plimsoll.contract;

import static plimsoll.contract.HostileUpstream.Outcome.BROKEN_OFF;
import static plimsoll.contract.HostileUpstream.Outcome.FAILED;
import static plimsoll.contract.HostileUpstream.Outcome.HARMLESS;
import static plimsoll.contract.HostileUpstream.Outcome.TIMED_OUT;

import java.util.Set;
import plimsoll.contract.HostileServer.Port;

/** Every way in which an upstream was seen to fail, or could be made to by somebody who means harm. */
enum HostileUpstream {
    // No connection.
    REFUSES_CONNECTIONS(FAILED, Port.CLOSED, wire -> {}),
    LETS_CONNECTIONS_WAIT(TIMED_OUT, Port.FULL, wire -> {}),
    RESETS_AT_ACCEPT(FAILED, Wire::reset),
    CLOSES_AT_ACCEPT(FAILED, wire -> {}),

    // No answer.
    RESETS_AFTER_THE_REQUEST(FAILED, answering(Wire::reset)),
    CLOSES_AFTER_THE_REQUEST(FAILED, answering(wire -> {})),
    HALF_CLOSES_AFTER_THE_REQUEST(FAILED, answering(Wire::closeHalf)),
    STALLS_BEFORE_THE_HEAD(TIMED_OUT, answering(Wire::stall)),

    // Half a head.
    RESETS_IN_THE_HEAD(FAILED, answering("HTTP/1.1 200 OK\r\nContent-Ty", Wire::reset)),
    CLOSES_IN_THE_HEAD(FAILED, answering("HTTP/1.1 200 OK\r\nContent-Ty", wire -> {})),
    STALLS_IN_THE_HEAD(TIMED_OUT, answering("HTTP/1.1 200 OK\r\nContent-Ty", Wire::stall)),
    DRIPS_ITS_HEAD(TIMED_OUT, answering("HTTP/1.1 200 OK\r\nX-Drip: ", wire -> wire.drip("drip"))),

    // Too much of a head.
    SENDS_ENDLESS_HEADERS(FAILED, answering("HTTP/1.1 200 OK\r\n", wire -> wire.flood("X-Flood: flood\r\n"))),
    SENDS_AN_ENDLESS_HEADER(FAILED, answering("HTTP/1.1 200 OK\r\nX-Flood: ", wire -> wire.flood("flood"))),
    SENDS_ENDLESS_INTERIM_ANSWERS(FAILED, answering(wire -> wire.flood("HTTP/1.1 103 Early Hints\r\n\r\n"))),

    // No HTTP.
    SPEAKS_SOMETHING_ELSE(FAILED, answering("SSH-2.0-OpenSSH_9.9\r\n\0\1\2\3\377\376\r\n\r\n", wire -> {})),
    SPEAKS_HTTP_0_9(FAILED, answering("<html>hello</html>\r\n", wire -> {})),
    SENDS_NO_STATUS(FAILED, answering("HTTP/1.1 OK\r\nContent-Length: 0\r\n\r\n", Wire::stall)),
    SWITCHES_PROTOCOLS(
            FAILED,
            answering("HTTP/1.1 101 Switching Protocols\r\nUpgrade: bank\r\nConnection: Upgrade\r\n\r\n", Wire::stall)),

    // Lengths that lie.
    SENDS_TWO_LENGTHS(FAILED, answering(ok("Content-Length: 5\r\nContent-Length: 50", "hello"), Wire::stall)),
    SENDS_A_NEGATIVE_LENGTH(FAILED, answering(ok("Content-Length: -5", "hello"), Wire::stall)),
    SENDS_A_LENGTH_THAT_IS_NO_NUMBER(FAILED, answering(ok("Content-Length: five", "hello"), Wire::stall)),
    SENDS_LESS_THAN_ITS_LENGTH(BROKEN_OFF, answering(ok("Content-Length: 500", "hello"), wire -> {})),
    SENDS_MORE_THAN_ITS_LENGTH(
            HARMLESS, answering(ok("Content-Length: 5", "hello" + ok("Content-Length: 8", "smuggled")), Wire::stall)),
    SENDS_A_BODY_WITH_A_204(
            HARMLESS, answering("HTTP/1.1 204 No Content\r\n\r\n" + ok("Content-Length: 8", "smuggled"), Wire::stall)),
    SENDS_A_BARE_CR_IN_A_HEADER(
            HARMLESS, answering(ok("X-A: b\rX-Smuggled: smuggled\r\nContent-Length: 5", "hello"), Wire::stall)),

    // Bodies that end badly.
    RESETS_IN_THE_BODY(BROKEN_OFF, answering(ok("Content-Length: 500000", "x".repeat(100_000)), Wire::reset)),
    RESETS_IN_A_BODY_WITHOUT_LENGTH(BROKEN_OFF, answering(ok("X-A: b", "x".repeat(100_000)), wire -> {
        // Time to be read: a reset can overtake what was sent before it.
        Thread.sleep(300);
        wire.reset();
    })),
    STALLS_IN_THE_BODY(BROKEN_OFF, answering(ok("Content-Length: 500000", "x".repeat(100_000)), Wire::stall)),
    DRIPS_ITS_BODY(BROKEN_OFF, answering(ok("Content-Length: 500000", ""), wire -> wire.drip("drip"))),
    CUTS_OFF_ITS_CHUNKS(BROKEN_OFF, answering(chunked("5\r\nhello\r\n"), wire -> {})),
    RESETS_IN_ITS_CHUNKS(BROKEN_OFF, answering(chunked("5\r\nhello\r\n"), Wire::reset)),
    SENDS_A_BAD_CHUNK_SIZE(BROKEN_OFF, answering(chunked("5\r\nhello\r\nhello\r\n"), Wire::stall)),
    SENDS_A_HUGE_CHUNK_SIZE(BROKEN_OFF, answering(chunked("5\r\nhello\r\nffffffffffffffffff\r\n"), Wire::stall)),
    SENDS_A_NEGATIVE_CHUNK_SIZE(BROKEN_OFF, answering(chunked("5\r\nhello\r\n-5\r\nhello\r\n"), Wire::stall)),
    SENDS_AN_ENDLESS_CHUNK_SIZE(BROKEN_OFF, answering(chunked("5\r\nhello\r\n"), wire -> wire.flood("0"))),
    SENDS_ENDLESS_TRAILERS(
            HARMLESS, answering(chunked("5\r\nhello\r\n0\r\n"), wire -> wire.flood("X-Flood: flood\r\n"))),

    // TLS.
    SPEAKS_NO_TLS(FAILED, Port.HTTP_FOR_HTTPS, wire -> wire.send("HTTP/1.1 400 Bad Request\r\n\r\n")),
    STALLS_IN_THE_HANDSHAKE(TIMED_OUT, Port.HTTP_FOR_HTTPS, Wire::stall),
    RESETS_IN_THE_HANDSHAKE(FAILED, Port.HTTP_FOR_HTTPS, Wire::reset),
    HAS_AN_EXPIRED_CERTIFICATE(FAILED, Port.EXPIRED, answering(ok("Content-Length: 5", "hello"), Wire::stall)),
    HAS_ANOTHER_HOSTS_CERTIFICATE(
            FAILED, Port.OF_ANOTHER_HOST, answering(ok("Content-Length: 5", "hello"), Wire::stall)),
    HAS_A_STRANGERS_CERTIFICATE(FAILED, Port.OF_A_STRANGER, answering(ok("Content-Length: 5", "hello"), Wire::stall)),
    DEMANDS_A_CERTIFICATE(
            FAILED, Port.DEMANDING_A_CERTIFICATE, answering(ok("Content-Length: 5", "hello"), Wire::stall)),
    RESETS_IN_THE_BODY_OVER_TLS(
            BROKEN_OFF, Port.HTTPS, answering(ok("Content-Length: 500000", "x".repeat(100_000)), Wire::reset)),
    STALLS_IN_THE_BODY_OVER_TLS(
            BROKEN_OFF, Port.HTTPS, answering(ok("Content-Length: 500000", "x".repeat(100_000)), Wire::stall)),
    DRIPS_ITS_HEAD_OVER_TLS(TIMED_OUT, Port.HTTPS, answering("HTTP/1.1 200 OK\r\nX-Drip: ", wire -> wire.drip("drip"))),
    DRIPS_ITS_BODY_OVER_TLS(
            BROKEN_OFF, Port.HTTPS, answering(ok("Content-Length: 500000", ""), wire -> wire.drip("drip")));

    /** The outcome that the caller must see. */
    enum Outcome {
        /** 502 or 504: what is wrong was known before anything could be passed on. */
        FAILED,
        /** 504. */
        TIMED_OUT,
        /** 502 or 504, or an answer that visibly breaks off: what is wrong came after the head. */
        BROKEN_OFF,
        /** The answer as it was meant, or one of the others; nothing of what was smuggled in, not even in the next answer. */
        HARMLESS
    }

    /** An upstream's way with a connection; when it returns, the connection is closed. */
    interface Script {
        void play(Wire wire) throws Exception;
    }

    final Outcome outcome;
    final Port port;
    final Script script;

    HostileUpstream(Outcome outcome, Script script) {
        this(outcome, Port.HTTP, script);
    }

    HostileUpstream(Outcome outcome, Port port, Script script) {
        this.outcome = outcome;
        this.port = port;
        this.script = script;
    }

    /** The words by which the gateway may tell of it, where it can tell at all. Clients differ in what they notice first. */
    Set<String> reasons() {
        return switch (this) {
            case REFUSES_CONNECTIONS -> Set.of("connect-refused");
            case LETS_CONNECTIONS_WAIT -> Set.of("connect-timeout");
            case STALLS_IN_THE_HANDSHAKE -> Set.of("connect-timeout", "response-timeout");
            case SPEAKS_NO_TLS,
                    HAS_AN_EXPIRED_CERTIFICATE,
                    HAS_ANOTHER_HOSTS_CERTIFICATE,
                    HAS_A_STRANGERS_CERTIFICATE -> Set.of("tls");
            case RESETS_IN_THE_HANDSHAKE, DEMANDS_A_CERTIFICATE -> Set.of("tls", "reset", "closed");
            default ->
                outcome == TIMED_OUT
                        ? Set.of("response-timeout")
                        : Set.of("reset", "closed", "protocol", "response-timeout");
        };
    }

    private static Script answering(Script rest) {
        return answering("", rest);
    }

    private static Script answering(String beginning, Script rest) {
        return wire -> {
            wire.readRequest();
            wire.send(beginning);
            rest.play(wire);
        };
    }

    private static String ok(String fields, String body) {
        return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n" + fields + "\r\n\r\n" + body;
    }

    private static String chunked(String chunks) {
        return ok("Transfer-Encoding: chunked", chunks);
    }
}
