package plimsoll.contract;

import static plimsoll.contract.HostileUpstream.Outcome.BROKEN_OFF;
import static plimsoll.contract.HostileUpstream.Outcome.FAILED;
import static plimsoll.contract.HostileUpstream.Outcome.HARMLESS;
import static plimsoll.contract.HostileUpstream.Outcome.TIMED_OUT;

import java.util.Set;

/**
 * Every way in which an upstream was seen to fail, or could be made to by somebody who means harm: a behaviour of the crate
 * {@code plimsoll-hostile}, and what a gateway must make of it.
 */
enum HostileUpstream {
    // No connection.
    REFUSES_CONNECTIONS(FAILED, "Http1: a port at which nobody listens"),
    LETS_CONNECTIONS_WAIT(TIMED_OUT, "Http1: a queue that is full, and nobody accepts"),
    RESETS_AT_ACCEPT(FAILED, "Http1: a reset at once"),
    CLOSES_AT_ACCEPT(FAILED, "Http1: an end at once"),

    // No answer.
    RESETS_AFTER_THE_REQUEST(FAILED, "Http1: a reset in place of an answer"),
    CLOSES_AFTER_THE_REQUEST(FAILED, "Http1: an end in place of an answer"),
    HALF_CLOSES_AFTER_THE_REQUEST(FAILED, "Http1: a half-close in place of an answer"),
    STALLS_BEFORE_THE_HEAD(TIMED_OUT, "Http1: silence"),

    // Half a head.
    RESETS_IN_THE_HEAD(FAILED, "Http1: a reset within a head"),
    CLOSES_IN_THE_HEAD(FAILED, "Http1: an end within a head"),
    CLOSES_BEFORE_THE_EMPTY_LINE(FAILED, "Http1: an end before the empty line"),
    CLOSES_IN_THE_STATUS_LINE(FAILED, "Http1: an end within a status line"),
    STALLS_IN_THE_HEAD(TIMED_OUT, "Http1: silence within a head"),
    STALLS_IN_THE_STATUS_LINE(TIMED_OUT, "Http1: silence within a status line"),
    STALLS_AFTER_AN_INTERIM_ANSWER(TIMED_OUT, "Http1: silence after an interim response"),
    DRIPS_ITS_HEAD(TIMED_OUT, "Http1: a head that drips"),

    // Too much of a head.
    SENDS_ENDLESS_HEADERS(FAILED, "Http1: headers without end"),
    SENDS_AN_ENDLESS_HEADER(FAILED, "Http1: a header without end"),
    SENDS_ENDLESS_INTERIM_ANSWERS(FAILED, "Http1: interim responses without end"),
    SENDS_A_LARGE_HEADER(FAILED, "Http1: a header of 70,000 bytes"),

    // Headers that are none.
    SENDS_NUL_IN_A_NAME(FAILED, "Http1: NUL in a header's name"),
    SENDS_BRACKETS_IN_A_NAME(FAILED, "Http1: a header's name in brackets"),
    SENDS_UTF_8_IN_A_NAME(FAILED, "Http1: a header's name in UTF-8"),
    SENDS_NUL_IN_A_HEADER(FAILED, "Http1: NUL in a header"),
    SENDS_AN_ESCAPE_IN_A_HEADER(FAILED, "Http1: an escape in a header"),
    SENDS_A_BARE_CR_IN_A_HEADER(HARMLESS, "Http1: a bare CR in a header"),
    SENDS_BARE_LFS(HARMLESS, "Http1: bare LFs in a head"),

    // No HTTP.
    SPEAKS_SOMETHING_ELSE(FAILED, "Http1: SSH, and garbage after it"),
    SPEAKS_HTTP_0_9(FAILED, "Http1: HTML without a head, as HTTP/0.9 has it"),
    SENDS_NO_STATUS(FAILED, "Http1: no status"),
    SWITCHES_PROTOCOLS(FAILED, "Http1: another protocol that nobody asked for"),

    // Lengths that lie.
    SENDS_TWO_LENGTHS(FAILED, "Http1: two lengths that differ"),
    SENDS_A_NEGATIVE_LENGTH(FAILED, "Http1: a negative length"),
    SENDS_A_LENGTH_THAT_IS_NO_NUMBER(FAILED, "Http1: a length in words"),
    SENDS_LESS_THAN_ITS_LENGTH(BROKEN_OFF, "Http1: an end within a body"),
    SENDS_MORE_THAN_ITS_LENGTH(HARMLESS, "Http1: a second answer"),
    SENDS_A_BODY_WITH_A_204(HARMLESS, "Http1: a body with a 204"),

    // Codings.
    SENDS_A_LENGTH_AND_CHUNKS(HARMLESS, "Http1: a length and chunks"),
    SENDS_CHUNKS_AND_A_LENGTH(HARMLESS, "Http1: chunks and a length"),
    HAS_A_CODING_THAT_IS_NOT_KNOWN(FAILED, "Http1: a coding that is not known"),
    HAS_A_CODING_AFTER_CHUNKS(FAILED, "Http1: a coding after chunks"),
    HAS_CHUNKS_TWICE(FAILED, "Http1: a coding that is said twice"),

    // Bodies that end badly.
    RESETS_IN_THE_BODY(BROKEN_OFF, "Http1: a reset within a large body"),
    RESETS_IN_A_BODY_WITHOUT_LENGTH(BROKEN_OFF, "Http1: a reset within a body without a length"),
    STALLS_IN_THE_BODY(BROKEN_OFF, "Http1: silence within a large body"),
    DRIPS_ITS_BODY(BROKEN_OFF, "Http1: a body that drips"),
    CUTS_OFF_ITS_CHUNKS(BROKEN_OFF, "Http1: an end after chunks"),
    RESETS_IN_ITS_CHUNKS(BROKEN_OFF, "Http1: a reset within chunks"),
    SENDS_A_BAD_CHUNK_SIZE(BROKEN_OFF, "Http1: a size of letters"),
    SENDS_A_HUGE_CHUNK_SIZE(BROKEN_OFF, "Http1: a size of 16 digits"),
    SENDS_A_NEGATIVE_CHUNK_SIZE(BROKEN_OFF, "Http1: a negative size"),
    SENDS_AN_ENDLESS_CHUNK_SIZE(BROKEN_OFF, "Http1: zeros without end in a size"),
    SENDS_ENDLESS_TRAILERS(HARMLESS, "Http1: trailers without end"),
    DRIPS_A_TRAILER(BROKEN_OFF, "Http1: a trailer that drips"),
    DRIPS_AN_EXTENSION(BROKEN_OFF, "Http1: an extension that drips"),

    // TLS.
    SPEAKS_NO_TLS(FAILED, "Tls: plain HTTP in place of a handshake"),
    STALLS_IN_THE_HANDSHAKE(TIMED_OUT, "Tls: silence in place of a handshake"),
    RESETS_IN_THE_HANDSHAKE(FAILED, "Tls: a reset in place of a handshake"),
    HAS_AN_EXPIRED_CERTIFICATE(FAILED, "Tls: a certificate that has expired"),
    HAS_ANOTHER_HOSTS_CERTIFICATE(FAILED, "Tls: a certificate of another host"),
    HAS_A_STRANGERS_CERTIFICATE(FAILED, "Tls: a certificate of a stranger"),
    DEMANDS_A_CERTIFICATE(FAILED, "Tls: a certificate that is asked for"),
    RESETS_IN_THE_BODY_OVER_TLS(BROKEN_OFF, "Tls: a reset within a large body"),
    STALLS_IN_THE_BODY_OVER_TLS(BROKEN_OFF, "Tls: silence within a large body"),
    DRIPS_ITS_HEAD_OVER_TLS(TIMED_OUT, "Tls: a head that drips"),
    DRIPS_ITS_BODY_OVER_TLS(BROKEN_OFF, "Tls: a body that drips");

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

    final Outcome outcome;

    /** As the crate calls it. */
    final String behaviour;

    HostileUpstream(Outcome outcome, String behaviour) {
        this.outcome = outcome;
        this.behaviour = behaviour;
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
}
