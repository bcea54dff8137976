package plimsoll.gateway.blocking;

import java.io.IOException;

/** The caller's connection failed, not the upstream's. */
class CallerGoneException extends RuntimeException {

    private static final long serialVersionUID = 1;

    CallerGoneException(IOException cause) {
        super(cause);
    }
}
