package plimsoll.gateway.call;

import java.util.Locale;

/** Why a call failed: a stable word for programs, and the status that the caller gets. */
public enum Reason {
    BAD_TARGET(400),
    BAD_REQUEST(400),
    NOT_ALLOWED(403),
    NOT_SUPPORTED(501),
    UNKNOWN_HOST(502),
    UNREACHABLE(502),
    CONNECT_REFUSED(502),
    TLS(502),
    RESET(502),
    CLOSED(502),
    PROTOCOL(502),
    FAILED(502),
    CONNECT_TIMEOUT(504),
    LEASE_TIMEOUT(504),
    RESPONSE_TIMEOUT(504);

    private final int status;

    Reason(int status) {
        this.status = status;
    }

    public int status() {
        return status;
    }

    /** The word, such as {@code connect-timeout}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
