package plimsoll.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * The hostile servers of the crate {@code plimsoll-hostile}: the same that Plimsoll's own tests use. One process serves all, and ends
 * with this one, whose pipe it reads.
 */
final class HostileUpstreams {

    /** The program, which {@code ./test} builds and names. */
    private static final String PROGRAM = System.getProperty("plimsoll.hostile", "");

    /** A file that is there as long as the program is being built. */
    private static final String BUILDING = System.getProperty("plimsoll.hostile.building", "");

    private static final long BUILT_WITHIN_NS = TimeUnit.MINUTES.toNanos(20);

    private static HostileUpstreams served;

    /** Its input is the pipe that must not be closed. */
    private final Process process;

    private final Path trusted;
    /** By behaviour: the address for calls one by one, and that for crowds. */
    private final Map<String, List<String>> urls = new HashMap<>();

    private HostileUpstreams(Process process) throws IOException {
        this.process = process;
        var table = process.inputReader();
        trusted = Path.of(next(table).split("\t")[1]);
        for (var line = next(table); !line.equals("ready"); line = next(table)) {
            var columns = line.split("\t");
            urls.computeIfAbsent(columns[0] + ": " + columns[1], behaviour -> new ArrayList<>())
                    .add(columns[3] + "://127.0.0.1:" + columns[2] + "/");
        }
    }

    private String next(BufferedReader table) throws IOException {
        var line = table.readLine();
        if (line == null) {
            throw new IOException("expected the table of " + PROGRAM + ", which ended: " + process);
        }
        return line;
    }

    /** Starts them once. Without the program the test is skipped. */
    static synchronized HostileUpstreams served() throws IOException, InterruptedException {
        if (served == null) {
            awaitProgram();
            assumeTrue(
                    Files.isExecutable(Path.of(PROGRAM)),
                    "no hostile upstreams: ./test java builds them; or cargo build -p plimsoll-hostile, and"
                            + " mvn -Dplimsoll.hostile=FILE");
            var process = new ProcessBuilder(PROGRAM, "--all", "Http1", "Tls", "Http1", "Tls")
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            served = new HostileUpstreams(process);
        }
        return served;
    }

    private static void awaitProgram() throws InterruptedException {
        var deadline = System.nanoTime() + BUILT_WITHIN_NS;
        while (!BUILDING.isEmpty() && Files.exists(Path.of(BUILDING)) && System.nanoTime() < deadline) {
            Thread.sleep(200);
        }
    }

    /** The PEM file of the authority that vouches for those over TLS. */
    Path trusted() {
        return trusted;
    }

    /** The address at which a behaviour is met, at every call. */
    String url(String behaviour) {
        return urls(behaviour).getFirst();
    }

    /** Another one, for as many calls at once as a pool has connections for one address. */
    String urlForCrowds(String behaviour) {
        return urls(behaviour).getLast();
    }

    private List<String> urls(String behaviour) {
        var found = urls.get(behaviour);
        if (found == null) {
            throw new IllegalArgumentException("no behaviour is called " + behaviour + ": " + PROGRAM + " --list");
        }
        return found;
    }
}
