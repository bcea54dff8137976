package plimsoll.gateway.blocking;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import plimsoll.gateway.blocking.BlockingClient.AnswerConsumer;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.CallMetrics;
import plimsoll.gateway.call.CallMetrics.Running;
import plimsoll.gateway.call.CallRequest;
import plimsoll.gateway.call.CallTrace.Phase;
import plimsoll.gateway.call.CallerGoneException;
import plimsoll.gateway.call.Failures;
import plimsoll.gateway.call.Reason;

/** Makes blocking calls: each with its deadline, counted, and with a reason if it fails. */
final class BlockingCalls {

    private final BlockingClient client;
    private final CallMetrics metrics;

    BlockingCalls(BlockingClient client, CallMetrics metrics) {
        this.client = client;
        this.metrics = metrics;
    }

    /** Takes an answer of a call. */
    @FunctionalInterface
    interface Answers {
        AnswerConsumer of(OutboundCall call);
    }

    /**
     * Makes a call.
     *
     * @param body the request's, as the caller sends it
     * @throws CallFailure if the upstream fails
     * @throws CallerGoneException if the caller does
     */
    void make(CallRequest request, InputStream body, Duration total, Answers answers) throws CallerGoneException {
        var running = metrics.begin();
        try (var call = OutboundCall.begin(request, body, total)) {
            var trace = call.trace();
            var answered = new int[1];
            try {
                client.call(call, (status, headers, answer) -> {
                    trace.took(Phase.TTFB, trace.elapsed());
                    answered[0] = status;
                    consume(call, () -> answers.of(call).accept(status, headers, answer));
                });
                running.answered(answered[0]);
            } catch (IOException | RuntimeException | StackOverflowError e) {
                call.abandon();
                throw failed(call, running, e);
            }
        }
    }

    private interface Consumption {
        void run() throws IOException;
    }

    /** Clients read the rest of an answer before they let go of it. Of one that failed half-way that must not happen. */
    private static void consume(OutboundCall call, Consumption consumption) throws IOException {
        try {
            consumption.run();
        } catch (IOException | RuntimeException e) {
            call.abandon();
            throw e;
        }
    }

    private static RuntimeException failed(OutboundCall call, Running running, Throwable thrown)
            throws CallerGoneException {
        for (Throwable link = thrown; link != null; link = link.getCause()) {
            if (link instanceof CallerGoneException gone) {
                running.abandoned();
                throw gone;
            }
        }
        var failure = call.cancelledFor() != null ? call.cancelledFor() : explained(call, Failures.of(thrown));
        running.failed(failure.reason());
        return failure;
    }

    /** The JDK's clients keep to themselves why a name has no address, and whether it has one that was refused. */
    private static CallFailure explained(OutboundCall call, CallFailure failure) {
        if (failure.reason() == Reason.UNKNOWN_HOST) {
            try {
                InetAddress.getByName(call.request().target().getHost());
            } catch (UnknownHostException why) {
                return Failures.of(why);
            }
        }
        return failure;
    }
}
