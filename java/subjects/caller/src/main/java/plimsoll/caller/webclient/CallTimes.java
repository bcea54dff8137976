package plimsoll.caller.webclient;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** How long the parts of a call took, as far as they are known: {@code connect}, {@code dns}, {@code tls} and {@code total}. */
final class CallTimes {

    private static final double NANOS_PER_MILLI = 1e6;

    private final long startedNanos = System.nanoTime();
    private final Map<String, Duration> parts = new ConcurrentSkipListMap<>();

    void took(String part, Duration time) {
        parts.put(part, time);
    }

    /** Names what took all the time so far. */
    void took(String part) {
        took(part, Duration.ofNanos(System.nanoTime() - startedNanos));
    }

    /** The value of a {@code Server-Timing} header, in milliseconds. */
    String header() {
        var text = new StringBuilder();
        parts.forEach((part, time) -> text.append(text.isEmpty() ? "" : ", ")
                .append(String.format(Locale.ROOT, "%s;dur=%.3f", part, time.toNanos() / NANOS_PER_MILLI)));
        return text.toString();
    }
}
