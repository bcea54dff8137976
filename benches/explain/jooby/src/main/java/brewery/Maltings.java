package brewery;

import kong.unirest.Unirest;

/** Deliveries of malt, which Unirest asks the maltster for. */
public final class Maltings {
    public static void main(String[] arguments) {
        Unirest.config().concurrency(200, 200);
        var maltster = Brewery.MALTSTER.toString();
        Brewery.open(() -> "malt " + Unirest.get(maltster).asString().getBody().length());
    }
}
