package plimsoll.gateway.call;

import java.io.IOException;

/** The internal system went away, or sent a broken body, while its call was on the way. No fault of the upstream. */
public class CallerGoneException extends IOException {

    private static final long serialVersionUID = 1;

    public CallerGoneException(IOException cause) {
        super("the caller went away: " + cause.getMessage(), cause);
    }
}
