package brewery;

import io.jooby.ExecutionMode;

/** Temperatures of the mash tuns, by the few workers that Jooby is given. */
public final class MashTuns {
    public static void main(String[] arguments) {
        int workers = Integer.getInteger("mash.workers", 6);
        Brewery.open(
                ExecutionMode.WORKER,
                workers,
                () -> "mash " + Brewery.askMaltster().length());
    }
}
