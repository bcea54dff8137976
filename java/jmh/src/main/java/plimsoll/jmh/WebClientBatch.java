package plimsoll.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The published benchmark: how long 50 calls take, 10 in flight. Does a small parallel scheduler hold them up? Run it with
 * {@code -jvmArgsAppend -XX:ActiveProcessorCount=2}, and with 10.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 10, time = 5)
@Measurement(iterations = 10, time = 5)
@Fork(value = 1, jvmArgsPrepend = "--enable-native-access=ALL-UNNAMED")
public class WebClientBatch {

    @Param("50")
    public int calls;

    @Param("10")
    public int concurrency;

    @Benchmark
    public Long batch(Upstream upstream) {
        return Calls.batch(upstream.client(), calls, concurrency).block();
    }
}
