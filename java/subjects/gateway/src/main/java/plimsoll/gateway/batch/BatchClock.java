package plimsoll.gateway.batch;

import java.util.List;
import plimsoll.gateway.batch.BatchReport.Call;
import plimsoll.gateway.call.CallFailure;

/** Times the calls of a batch from its beginning. */
public final class BatchClock {

    private static final double NANOS_PER_MILLI = 1e6;

    private final long startedNanos = System.nanoTime();

    /** Since the batch began. */
    public double elapsedMs() {
        return (System.nanoTime() - startedNanos) / NANOS_PER_MILLI;
    }

    public Call answered(int call, double startMs, int attempts, int status) {
        return new Call(call, startMs, elapsedMs() - startMs, attempts, status, null);
    }

    public Call failed(int call, double startMs, int attempts, CallFailure failure) {
        return new Call(
                call,
                startMs,
                elapsedMs() - startMs,
                attempts,
                0,
                failure.reason().word());
    }

    public BatchReport report(List<Call> calls) {
        var failures = calls.stream().filter(call -> call.reason() != null).count();
        return new BatchReport(elapsedMs(), failures, calls);
    }
}
