package plimsoll.caller;

/** The service that is called, by a client that blocks its thread. */
public interface Upstream {

    /** Its answer. */
    String fetch();
}
