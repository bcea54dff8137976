package plimsoll.gateway.call;

/** A call that failed for a known reason. */
public class CallFailure extends RuntimeException {

    private static final long serialVersionUID = 1;

    private final Reason reason;

    public CallFailure(Reason reason, String detail) {
        this(reason, detail, null);
    }

    public CallFailure(Reason reason, String detail, Throwable cause) {
        // Without a stack trace: failing upstreams are everyday, and the reason says it all.
        super(detail, cause, false, false);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
