package ferry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Passengers by cabin in a table as old as the company, which asks the harbour while it is changed. */
public final class Passengers {
    public static void main(String[] arguments) throws Exception {
        Map<Integer, String> cabins =
                Boolean.getBoolean("passengers.modern") ? new ConcurrentHashMap<>() : new Hashtable<>();
        Ferry.open(() -> {
            int cabin = ThreadLocalRandom.current().nextInt(5_000);
            return "cabin of " + cabins.compute(cabin, Passengers::checkIn).length();
        });
    }

    private static String checkIn(int cabin, String before) {
        try {
            return cabin + Ferry.askHarbour();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
