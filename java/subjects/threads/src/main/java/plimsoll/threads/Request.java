package plimsoll.threads;

/**
 * A request, as far as the server needs to know it.
 *
 * @param method as sent, e.g. {@code GET}
 * @param keepAlive whether the client allows another request on the connection
 * @param bodyBytes how many bytes follow the head
 * @param expectsContinue whether the client waits for a {@code 100 Continue} before it sends them
 */
record Request(String method, boolean keepAlive, int bodyBytes, boolean expectsContinue) {

    boolean isHead() {
        return method.equals("HEAD");
    }
}
