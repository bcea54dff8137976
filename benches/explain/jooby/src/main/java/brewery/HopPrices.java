package brewery;

import io.jooby.ExecutionMode;

/** Prices of hops, asked for by the thread that Jooby calls in the mode that it is given. */
public final class HopPrices {
    public static void main(String[] arguments) {
        var mode = ExecutionMode.valueOf(System.getProperty("hops.mode", "EVENT_LOOP"));
        Brewery.open(mode, 200, () -> "hops for " + Brewery.askMaltster().length());
    }
}
