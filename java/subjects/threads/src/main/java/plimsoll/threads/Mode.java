package plimsoll.threads;

import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;

/** The thread that serves a connection. */
enum Mode {
    /** A platform thread of its own, started when the connection is accepted and gone when it closes. */
    PER_REQUEST {
        @Override
        ExecutorService executor(int poolSize) {
            return Executors.newThreadPerTaskExecutor(
                    Thread.ofPlatform().name("connection-", 0).factory());
        }
    },
    /** One of a fixed number of platform threads; connections wait for one in a queue without a bound. */
    POOL {
        @Override
        ExecutorService executor(int poolSize) {
            return Executors.newFixedThreadPool(
                    poolSize, Thread.ofPlatform().name("pool-", 0).factory());
        }
    },
    /** A virtual thread of its own. */
    VIRTUAL {
        @Override
        ExecutorService executor(int poolSize) {
            return Executors.newVirtualThreadPerTaskExecutor();
        }
    };

    /** The executor of connections; only {@link #POOL} heeds the pool's size. */
    abstract ExecutorService executor(int poolSize);

    static Mode named(String name) {
        return Arrays.stream(values())
                .filter(mode -> mode.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("`" + name + "` is none of " + names()));
    }

    private static String names() {
        return Arrays.stream(values()).map(Mode::toString).collect(Collectors.joining(", "));
    }

    /** As in arguments: {@code per-request}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
