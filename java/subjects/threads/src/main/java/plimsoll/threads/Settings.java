package plimsoll.threads;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The settings under test, given as arguments {@code --name=value}.
 *
 * @param address where to listen; {@code --server.address}, {@code --server.port}
 * @param mode which thread serves a connection; {@code --threads.mode}
 * @param poolSize how many threads {@link Mode#POOL} has; {@code --threads.pool-size}
 * @param backlog how many connections the kernel may hold until they are accepted; {@code --threads.backlog}
 * @param keepAlive whether a connection may carry more than one request; {@code --threads.keep-alive}
 * @param idleTimeout how long a read waits for the client before the connection is closed; {@code --threads.idle-timeout}
 */
record Settings(
        InetSocketAddress address, Mode mode, int poolSize, int backlog, boolean keepAlive, Duration idleTimeout) {

    static final String HELP = """
            A minimal HTTP server on java.net.ServerSocket. Every GET is answered at once, with some 120 bytes.

              --server.address=ADDRESS     where to listen; 0.0.0.0 is every address (default: 127.0.0.1)
              --server.port=N              port; 0 takes a free one (default: 8080)
              --threads.mode=MODE          per-request, pool or virtual (default: per-request)
              --threads.pool-size=N        threads of the pool (default: 200)
              --threads.backlog=N          length of the accept queue; the kernel's somaxconn caps it (default: 50,
                                           ServerSocket's own)
              --threads.keep-alive=BOOL    true: a connection may carry more than one request (default: false)
              --threads.idle-timeout=TIME  a client that is silent for so long is let go: 500ms, 20s (default: 20s)
            """;

    private static final Map<String, String> DEFAULTS = Map.of(
            "server.address", "127.0.0.1",
            "server.port", "8080",
            "threads.mode", "per-request",
            "threads.pool-size", "200",
            "threads.backlog", "50",
            "threads.keep-alive", "false",
            "threads.idle-timeout", "20s");

    /** @throws IllegalArgumentException saying which argument is wrong, and what was expected */
    static Settings parse(String... arguments) {
        var given = given(arguments);
        return new Settings(
                new InetSocketAddress(address(given), number(given, "server.port", 0, 65_535)),
                value(given, "threads.mode", Mode::named),
                number(given, "threads.pool-size", 1, 1_000_000),
                number(given, "threads.backlog", 1, Integer.MAX_VALUE),
                value(given, "threads.keep-alive", Settings::truth),
                value(given, "threads.idle-timeout", Settings::duration));
    }

    private static Map<String, String> given(String... arguments) {
        var given = new LinkedHashMap<>(DEFAULTS);
        for (var argument : arguments) {
            var parts = argument.split("=", 2);
            var name = parts[0].startsWith("--") ? parts[0].substring(2) : parts[0];
            if (parts.length < 2 || !argument.startsWith("--") || !DEFAULTS.containsKey(name)) {
                throw new IllegalArgumentException(
                        "argument `" + argument + "`: expected --NAME=VALUE; names and values are\n\n" + HELP);
            }
            given.put(name, parts[1]);
        }
        return given;
    }

    private interface Parser<T> {
        T parse(String text);
    }

    private static <T> T value(Map<String, String> given, String name, Parser<T> parser) {
        try {
            return parser.parse(given.get(name));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("--" + name + ": " + e.getMessage(), e);
        }
    }

    private static InetAddress address(Map<String, String> given) {
        return value(given, "server.address", text -> {
            try {
                return InetAddress.getByName(text);
            } catch (UnknownHostException e) {
                throw new IllegalArgumentException("`" + text + "` is no address of this machine", e);
            }
        });
    }

    private static int number(Map<String, String> given, String name, int min, int max) {
        return value(given, name, text -> {
            var expected = "expected a whole number from " + min + " to " + max + ", found `" + text + "`";
            if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) < min || Long.parseLong(text) > max) {
                throw new IllegalArgumentException(expected);
            }
            return Integer.parseInt(text);
        });
    }

    private static boolean truth(String text) {
        return switch (text) {
            case "true" -> true;
            case "false" -> false;
            default -> throw new IllegalArgumentException("expected true or false, found `" + text + "`");
        };
    }

    private static Duration duration(String text) {
        if (!text.matches("[1-9][0-9]{0,5}(ms|s)")) {
            throw new IllegalArgumentException("expected a time such as 500ms or 20s, found `" + text + "`");
        }
        return text.endsWith("ms")
                ? Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)))
                : Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)));
    }
}
