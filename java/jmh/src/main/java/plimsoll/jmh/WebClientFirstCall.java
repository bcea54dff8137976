package plimsoll.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** How long one call takes in a process that has made none, each time in a new process. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 0)
@Measurement(iterations = 1)
@Fork(value = 10, jvmArgsPrepend = "--enable-native-access=ALL-UNNAMED")
public class WebClientFirstCall {

    /** Work of the process before the call. */
    public enum Before {
        /** Nothing. */
        NOTHING,
        /** {@link reactor.netty.http.client.HttpClient#warmup()}. */
        WARMUP,
        /** A call like the one that is measured: what there is to be won at most. */
        CALL
    }

    @Param({"NOTHING", "WARMUP", "CALL"})
    public Before before;

    @Setup(Level.Trial)
    public void prepare(Upstream upstream) {
        switch (before) {
            case NOTHING -> {}
            case WARMUP -> upstream.httpClient().warmup().block();
            case CALL -> Calls.one(upstream.client()).block();
        }
    }

    @Benchmark
    public String call(Upstream upstream) {
        return Calls.one(upstream.client()).block();
    }
}
