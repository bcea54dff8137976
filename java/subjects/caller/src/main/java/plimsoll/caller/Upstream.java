package plimsoll.caller;

/** The service that is called, by a client that blocks its thread. */
public interface Upstream {

    /** What it answers. */
    String fetch();
}
