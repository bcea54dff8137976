package plimsoll.threads;

/** Why a request gets no 200. The connection is closed after it: where the next request begins cannot be trusted. */
final class Refusal extends Exception {

    private static final long serialVersionUID = 1;

    enum Status {
        BAD_REQUEST(400, "Bad Request"),
        METHOD_NOT_ALLOWED(405, "Method Not Allowed"),
        CONTENT_TOO_LARGE(413, "Content Too Large"),
        URI_TOO_LONG(414, "URI Too Long"),
        HEAD_TOO_LARGE(431, "Request Header Fields Too Large"),
        NOT_IMPLEMENTED(501, "Not Implemented"),
        VERSION_NOT_SUPPORTED(505, "HTTP Version Not Supported");

        final int code;
        final String phrase;

        Status(int code, String phrase) {
            this.code = code;
            this.phrase = phrase;
        }
    }

    final Status status;

    /** @param reason what was wrong, for the answer's body */
    Refusal(Status status, String reason) {
        super(reason);
        this.status = status;
    }
}
