package plimsoll.contract;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A subject launched from its jar as a process of its own, serving until it is closed. */
final class RunningSubject implements AutoCloseable {

    private static final Duration READY_AT_MOST = Duration.ofMinutes(3);
    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** Fields of a line of {@code /proc/PID/net/tcp}. */
    private static final int LOCAL_ADDRESS = 1;

    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final String LISTENING = "0A";
    private static final Pattern PEAK_KB = Pattern.compile("VmHWM:\\s+(\\d+) kB");

    final int port;
    /** Modules by name, each with its jar to launch. */
    private static final Map<String, Path> UNPACKED = new HashMap<>();

    private final Path log;
    private final Process process;

    private RunningSubject(Path log, Process process) throws IOException, InterruptedException {
        this.log = log;
        this.process = process;
        var deadline = System.nanoTime() + READY_AT_MOST.toNanos();
        this.port = awaitPort(deadline);
        awaitReady(deadline);
    }

    static RunningSubject launch(Subject subject, String... settings) throws IOException, InterruptedException {
        var all = Stream.concat(subject.settings.stream(), Stream.of(settings)).toList();
        return launch(subject.module, subject.toString(), all);
    }

    /**
     * Launches the jar of a module.
     *
     * @param name of this launch, after which its log is called
     */
    static RunningSubject launch(String module, String name, List<String> settings)
            throws IOException, InterruptedException {
        return launch(module, name, List.of(), settings);
    }

    static RunningSubject launch(String module, String name, List<String> jvmFlags, List<String> settings)
            throws IOException, InterruptedException {
        var jar = UNPACKED.get(module);
        if (jar == null) {
            jar = unpack(module);
            UNPACKED.put(module, jar);
        }
        // Starting takes most of the time of these tests, and so a quarter of it: with the simplest collector, without
        // the optimising compiler, and with the classes of the first launch.
        var archive = jar.resolveSibling(module + ".jsa");
        var command = new ArrayList<>(List.of(
                JAVA,
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:+AutoCreateSharedArchive",
                "-XX:SharedArchiveFile=" + archive));
        command.addAll(jvmFlags);
        command.addAll(List.of("-jar", jar.toString()));
        // The kernel's choice: one that was free a moment ago may be another program's by now.
        command.addAll(List.of("--server.address=127.0.0.1", "--server.port=0"));
        command.addAll(settings);
        var log = Path.of("target", name + ".log");
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        return new RunningSubject(log, process);
    }

    /** Spring Boot's jars hold others, from which no classes are shared: they are unpacked. */
    private static Path unpack(String module) throws IOException, InterruptedException {
        var jar = Path.of("..", module, "target", module + ".jar");
        try (var opened = new JarFile(jar.toFile())) {
            if (opened.getEntry("BOOT-INF/") == null) {
                return jar;
            }
        }
        var folder = Path.of("target", "unpacked", module);
        var process = new ProcessBuilder(
                        JAVA,
                        "-Djarmode=tools",
                        "-jar",
                        jar.toString(),
                        "extract",
                        "--force",
                        "--destination",
                        folder.toString())
                .redirectErrorStream(true)
                .redirectOutput(Path.of("target", "unpack-" + module + ".log").toFile())
                .start();
        if (process.waitFor() != 0) {
            throw new IOException("unpacking " + jar + " ended with " + process.exitValue());
        }
        return folder.resolve(module + ".jar");
    }

    URI uri(String pathAndQuery) {
        return URI.create("http://127.0.0.1:" + port + pathAndQuery);
    }

    /** The most memory that it has had, in bytes: heap, stacks, buffers, code. */
    long peakMemory() throws IOException {
        var status = Files.readString(Path.of("/proc", String.valueOf(process.pid()), "status"));
        var peak = PEAK_KB.matcher(status);
        if (!peak.find()) {
            throw new IOException("no VmHWM in " + status);
        }
        return Long.parseLong(peak.group(1)) * 1024;
    }

    /** Its TCP sockets but those of its own server, in the kernel's words. */
    List<String> outboundSockets() throws IOException {
        var server = String.format(":%04X", port);
        return sockets()
                .filter(fields -> !fields[LOCAL_ADDRESS].endsWith(server))
                .map(fields -> String.join(" ", fields))
                .toList();
    }

    /** Fields of the lines about its TCP sockets. */
    private Stream<String[]> sockets() throws IOException {
        var proc = Path.of("/proc", String.valueOf(process.pid()));
        var own = new HashSet<String>();
        try (var descriptors = Files.newDirectoryStream(proc.resolve("fd"))) {
            for (var descriptor : descriptors) {
                try {
                    own.add(Files.readSymbolicLink(descriptor).toString());
                } catch (NoSuchFileException closed) {
                    // Meanwhile.
                }
            }
        }
        var lines = new ArrayList<String>();
        for (var table : List.of("net/tcp", "net/tcp6")) {
            lines.addAll(Files.readAllLines(proc.resolve(table)));
        }
        return lines.stream()
                .map(line -> line.strip().split("\\s+"))
                .filter(fields -> own.contains("socket:[" + fields[INODE] + "]"));
    }

    @Override
    public void close() {
        process.destroy();
        process.onExit().completeOnTimeout(process, 30, TimeUnit.SECONDS).join();
        process.destroyForcibly();
    }

    /** Waits until it listens. */
    private int awaitPort(long deadline) throws IOException, InterruptedException {
        while (true) {
            var listening = listeningPort();
            if (listening.isPresent()) {
                return listening.getAsInt();
            }
            pause(deadline);
        }
    }

    private OptionalInt listeningPort() throws IOException {
        try {
            return sockets()
                    .filter(fields -> fields[STATE].equals(LISTENING))
                    .map(fields -> fields[LOCAL_ADDRESS])
                    .mapToInt(address -> Integer.parseInt(address.substring(address.indexOf(':') + 1), 16))
                    .findFirst();
        } catch (NoSuchFileException ended) {
            return OptionalInt.empty();
        }
    }

    private void awaitReady(long deadline) throws IOException, InterruptedException {
        while (!isReady()) {
            pause(deadline);
        }
    }

    private void pause(long deadline) throws IOException, InterruptedException {
        if (!process.isAlive() || System.nanoTime() > deadline) {
            process.destroyForcibly();
            throw new IllegalStateException("not ready; its output:\n" + Files.readString(log));
        }
        Thread.sleep(50);
    }

    private boolean isReady() throws InterruptedException {
        var request = HttpRequest.newBuilder(uri("/ready")).build();
        try (var client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.discarding()).statusCode() == 200;
        } catch (IOException refused) {
            return false;
        }
    }
}
