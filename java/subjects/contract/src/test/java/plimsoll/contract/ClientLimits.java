package plimsoll.contract;

/**
 * What a gateway's client cannot do. Of requests that it cannot send, the gateway says so.
 *
 * @param client as {@code gateway.client} has it
 */
record ClientLimits(String client) {

    /** Whether it can send such a request at all. */
    boolean sends(String method) {
        return switch (method) {
            case "PATCH" -> !isUrlConnection();
            case "PROPFIND" -> !isUrlConnection() && !client.startsWith("feign");
            default -> true;
        };
    }

    /** Whether it can send a body with a request that usually has none. */
    boolean sendsBodyWith(String method) {
        return switch (method) {
            case "GET" -> !isUrlConnection() && !client.equals("feign-okhttp");
            case "OPTIONS" -> !isUrlConnection();
            default -> sends(method);
        };
    }

    /** Whether it can send a header's value that is not ASCII. */
    boolean sendsMoreThanAscii() {
        return !client.equals("restclient-jdk");
    }

    /** Whether a body in chunks that turn out to be none goes out in chunks, and not as none. */
    boolean sendsChunksOfNothing() {
        return !client.equals("restclient-jdk");
    }

    /** Whether it tells of its connections. */
    boolean hasPool() {
        return !isUrlConnection() && !client.equals("restclient-jdk");
    }

    /** Whether its pool makes calls wait for a connection. */
    boolean hasPoolWithLimit() {
        return hasPool() && !client.equals("feign-okhttp");
    }

    /**
     * Whether the gateway can do nothing about such an upstream. {@code HttpURLConnection} takes the end of the connection for the end
     * of the head, and holds trailers without end; so does OkHttp with the digits of a chunk's size.
     */
    boolean isHelplessAgainst(HostileUpstream upstream) {
        return switch (upstream) {
            case CLOSES_IN_THE_HEAD, SENDS_ENDLESS_TRAILERS -> isUrlConnection();
            case SENDS_AN_ENDLESS_CHUNK_SIZE -> client.equals("feign-okhttp");
            default -> false;
        };
    }

    /** Whether what an upstream sends after an answer is taken for its next answer. */
    boolean takesSurplusForAnAnswer() {
        return client.equals("resttemplate-pooled") || client.equals("feign-hc5") || client.equals("feign-okhttp");
    }

    /** Whether it stands on {@code HttpURLConnection}. */
    boolean isUrlConnection() {
        return client.equals("resttemplate-simple") || client.equals("feign-default");
    }
}
