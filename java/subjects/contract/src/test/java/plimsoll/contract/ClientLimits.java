package plimsoll.contract;

/**
 * What a gateway's client cannot do, and the gateway says so.
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

    /** Whether it tells of its connections. */
    boolean hasPool() {
        return !isUrlConnection() && !client.equals("restclient-jdk");
    }

    /** Whether it stands on {@code HttpURLConnection}. */
    boolean isUrlConnection() {
        return client.equals("resttemplate-simple") || client.equals("feign-default");
    }
}
