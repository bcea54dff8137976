package plimsoll.gateway.blocking;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import org.springframework.context.annotation.Conditional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import plimsoll.gateway.GatewayProperties;
import plimsoll.gateway.batch.BatchClock;
import plimsoll.gateway.batch.BatchReport;
import plimsoll.gateway.batch.BatchReport.Call;
import plimsoll.gateway.batch.BatchRequest;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallRequests;
import plimsoll.gateway.call.CallerGoneException;

/** {@code /batch} by a blocking client: as many threads as calls may be in flight, each with a timeout and one retry. */
@RestController
@Conditional(OnBlockingClient.class)
class BlockingBatchController {

    private final CallRequests requests;
    private final BlockingCalls calls;
    private final GatewayProperties properties;

    BlockingBatchController(CallRequests requests, BlockingCalls calls, GatewayProperties properties) {
        this.requests = requests;
        this.calls = calls;
        this.properties = properties;
    }

    @GetMapping("/batch")
    BatchReport batch(
            @RequestParam String url,
            @RequestParam(defaultValue = BatchRequest.DEFAULT_CALLS) int calls,
            @RequestParam(defaultValue = BatchRequest.DEFAULT_CONCURRENCY) int concurrency)
            throws InterruptedException, ExecutionException {
        var batch = BatchRequest.of(requests, url, calls, concurrency);
        var clock = new BatchClock();
        var tasks = new ArrayList<Callable<Call>>();
        for (var number = 1; number <= calls; number++) {
            var call = number;
            tasks.add(() -> one(call, batch, clock));
        }
        try (var executor = Executors.newFixedThreadPool(Math.min(calls, concurrency))) {
            var done = new ArrayList<Call>();
            for (var task : executor.invokeAll(tasks)) {
                done.add(task.get());
            }
            return clock.report(done);
        }
    }

    private Call one(int number, BatchRequest batch, BatchClock clock)
            throws InterruptedException, CallerGoneException {
        var started = clock.elapsedMs();
        try {
            return clock.answered(number, started, 1, attempt(batch));
        } catch (CallFailure first) {
            Thread.sleep(properties.batch().retryDelay());
        }
        try {
            return clock.answered(number, started, 2, attempt(batch));
        } catch (CallFailure second) {
            return clock.failed(number, started, 2, second);
        }
    }

    private int attempt(BatchRequest batch) throws CallerGoneException {
        var answered = new int[1];
        calls.make(
                batch.request(),
                InputStream.nullInputStream(),
                properties.batch().timeout(),
                call -> (status, headers, body) -> {
                    answered[0] = status;
                    call.passOn(body, OutputStream.nullOutputStream(), headers.getContentLength());
                });
        return answered[0];
    }
}
