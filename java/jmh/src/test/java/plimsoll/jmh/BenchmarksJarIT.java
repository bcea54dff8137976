package plimsoll.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The jar as it is launched: alone, against a stub of its own, and against an upstream of somebody else's. */
class BenchmarksJarIT {

    private static final Pattern SCORE = Pattern.compile("\"primaryMetric\" : \\{\\s+\"score\" : ([0-9.E-]+)");

    @TempDir
    private Path dir;

    @Test
    void aBatchTakesAsLongAsItsTurns() throws Exception {
        var scores =
                run("WebClientBatch", "-wi", "1", "-i", "1", "-r", "100ms", "-w", "100ms", "-p", "latency=PT0.05S");

        assertThat(scores)
                .singleElement()
                .satisfies(score -> assertThat(score)
                        .as("50 calls, 10 in flight: 5 turns of 50 ms")
                        .isGreaterThanOrEqualTo(250.0));
    }

    @Test
    void firstCallsAreMeasuredInProcessesOfTheirOwn() throws Exception {
        try (var upstream = new Stub(Duration.ofMillis(10))) {
            var scores = run("WebClientFirstCall", "-f", "1", "-p", "upstream=" + upstream.url());

            assertThat(scores).hasSize(3).allSatisfy(score -> assertThat(score).isGreaterThanOrEqualTo(10.0));
        }
    }

    /** The scores in the JSON that JMH writes, in the order of the parameters. */
    private List<Double> run(String benchmark, String... options) throws IOException, InterruptedException {
        var json = dir.resolve("result.json");
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var command = new ArrayList<>(List.of(java, "-jar", "target/benchmarks.jar", benchmark, "-foe", "true"));
        command.addAll(List.of(options));
        command.addAll(List.of("-rf", "json", "-rff", json.toString()));
        var log = dir.resolve("output.log").toFile();
        var process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        var ended = process.waitFor(10, TimeUnit.MINUTES);
        process.destroyForcibly();
        assertThat(ended && process.exitValue() == 0)
                .as(Files.readString(log.toPath()))
                .isTrue();
        return SCORE.matcher(Files.readString(json))
                .results()
                .map(match -> Double.valueOf(match.group(1)))
                .toList();
    }
}
