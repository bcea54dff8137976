package plimsoll.contract;

/**
 * Limits of a gateway's client. The gateway says so of requests that it cannot send.
 *
 * @param client as {@code gateway.client} has it
 */
record ClientLimits(String client) {

    /** Whether it can send such a request at all. */
    boolean sends(String method) {
        return !(isUrlConnection() && method.equals("PATCH"));
    }

    /** Whether it can send a body with a request that usually has none. */
    boolean sendsBodyWith(String method) {
        return !isUrlConnection() || method.equals("DELETE");
    }

    /** The request as an upstream was told, without the media type that {@code HttpURLConnection} gives to a body of nothing. */
    String withoutInventedType(String told) {
        var invented = "Content-type: application/x-www-form-urlencoded\n";
        return isUrlConnection() && told.contains("\n0 bytes, ") ? told.replace(invented, "") : told;
    }

    /** Whether it tells of its connections. */
    boolean hasPool() {
        return !isUrlConnection();
    }

    /**
     * Whether the gateway can do nothing about such an upstream. {@code HttpURLConnection} takes the end of the connection for the end
     * of the head; and a line of chunks or a trailer that does not end can be broken off by nobody, as it is read under a lock that
     * closing takes, too.
     */
    boolean isHelplessAgainst(HostileUpstream upstream) {
        return switch (upstream) {
            case CLOSES_IN_THE_HEAD,
                    CLOSES_BEFORE_THE_EMPTY_LINE,
                    SENDS_ENDLESS_TRAILERS,
                    DRIPS_A_TRAILER,
                    DRIPS_AN_EXTENSION -> isUrlConnection();
            default -> false;
        };
    }

    /** Whether it takes such an upstream's odd byte for white space, and passes the header on without it (RFC 9110, 5.5). */
    boolean takesForWhiteSpace(HostileUpstream upstream) {
        return switch (upstream) {
            case SENDS_NUL_IN_A_HEADER -> client.equals("resttemplate-pooled");
            case SENDS_AN_ESCAPE_IN_A_HEADER -> isUrlConnection();
            default -> false;
        };
    }

    /** Whether a call over TLS to one that reads nothing ends: closing {@code HttpURLConnection} waits for what is being written. */
    boolean breaksOffWritesOverTls() {
        return !isUrlConnection();
    }

    /**
     * Whether it lets go of an answer in many small chunks at once: closing {@code HttpURLConnection} reads those that have arrived, and copies
     * all before for each.
     */
    boolean breaksOffSmallChunks() {
        return !isUrlConnection();
    }

    /** Whether what an upstream sends after an answer is taken for its next answer. */
    boolean takesSurplusForAnAnswer() {
        return client.equals("resttemplate-pooled");
    }

    /** Whether it stands on {@code HttpURLConnection}. */
    boolean isUrlConnection() {
        return client.equals("resttemplate-simple");
    }
}
