package plimsoll.threads;

import java.io.PrintStream;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Refusals by the operating system: each kind is told once, when it first happens, and counted from then on. A line for each
 * of ten thousand refused connections would be a load of its own.
 */
final class Failures {

    private final PrintStream log;
    private final Map<String, LongAdder> counts = new ConcurrentSkipListMap<>();

    Failures(PrintStream log) {
        this.log = log;
    }

    /** @param what what did not work; with the cause's text it is the kind */
    void add(String what, Throwable cause) {
        var kind = what + ": " + cause;
        var count = counts.computeIfAbsent(kind, first -> {
            log.println(first + " (told once; the server goes on)");
            return new LongAdder();
        });
        count.increment();
    }

    /** Tells how often each kind happened. */
    void summarise() {
        counts.forEach((kind, count) -> log.println(kind + ": " + count + " times"));
    }
}
