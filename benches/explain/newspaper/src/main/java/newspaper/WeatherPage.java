package newspaper;

import io.vavr.concurrent.Future;

/** The weather of today and tomorrow by Vavr's futures, which wait for the agency in the JVM's common pool. */
public final class WeatherPage {
    public static void main(String[] arguments) {
        Newspaper.open(() -> {
            var today = Future.of(Newspaper::askAgency);
            var tomorrow = Future.of(Newspaper::askAgency);
            return "degrees " + today.get().length() + ", " + tomorrow.get().length();
        });
    }
}
