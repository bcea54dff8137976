package plimsoll.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Many callers at the same time get what each asked for, through every client and server: a thousand calls each, and with
 * {@code -Pslow} a hundred thousand, for faults that show once in ten thousand calls.
 */
@ParameterizedClass
@MethodSource("plimsoll.contract.GatewayVariant#fewUnlessSlow")
record GatewayConcurrencyIT(GatewayVariant variant) {

    private static final int CALLS = Integer.getInteger("plimsoll.calls", 1_000);
    private static final int CALLERS = 16;

    private static RunningSubject gateway;
    private static GatewayCaller caller;
    private static EchoServer upstream;

    @BeforeParameterizedClassInvocation
    static void launch(GatewayVariant variant) throws Exception {
        gateway = variant.launch(
                "concurrency", "--gateway.allowed-hosts=127.0.0.1", "--gateway.allow-private-addresses=true");
        caller = new GatewayCaller(gateway);
        upstream = new EchoServer();
    }

    @AfterParameterizedClassInvocation
    static void stop() {
        upstream.close();
        caller.close();
        gateway.close();
    }

    @Test
    void everyoneGetsTheOwnAnswer() throws Exception {
        var left = new AtomicInteger(CALLS);
        Callable<List<String>> calls = () -> {
            var wrong = new ArrayList<String>();
            for (int call = left.getAndDecrement(); call > 0; call = left.getAndDecrement()) {
                check(call, wrong);
            }
            return wrong;
        };
        try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var wrong : callers.invokeAll(
                    IntStream.range(0, CALLERS).mapToObj(n -> calls).toList())) {
                assertThat(wrong.get()).isEmpty();
            }
        }
    }

    /** Bodies both ways, of known length and in chunks, from nothing to some buffers long; no two calls are the same. */
    private static void check(int call, List<String> wrong) throws Exception {
        var size = call % 7 == 0 ? 0 : call % 5 == 0 ? 100_000 + call : call;
        var content = EchoServer.content(size);
        var body = BodyPublishers.ofByteArray(content);
        switch (call % 4) {
            case 0 -> answered(call, "/bytes/length/" + size, content, wrong);
            case 1 -> answered(call, "/bytes/chunked/" + size, content, wrong);
            case 2 -> echoed(call, content, body, wrong);
            default -> echoed(call, content, BodyPublishers.fromPublisher(body), wrong);
        }
    }

    private static void answered(int call, String path, byte[] expected, List<String> wrong) throws Exception {
        var answer = caller.send(caller.request(upstream.url(path)).build(), BodyHandlers.ofByteArray());
        if (answer.statusCode() != 200 || !Arrays.equals(answer.body(), expected)) {
            wrong.add(
                    "call " + call + ", " + path + ": " + answer.statusCode() + ", " + answer.body().length + " bytes");
        }
    }

    private static void echoed(int call, byte[] content, BodyPublisher body, List<String> wrong) throws Exception {
        var path = "/echo/" + call;
        var request = caller.request(upstream.url(path))
                .header("Content-Type", "image/png")
                .POST(body);
        var answer = caller.send(request.build(), BodyHandlers.ofString(UTF_8));
        if (!answer.body().startsWith("POST " + path + "\n")
                || !answer.body().endsWith("\n" + EchoServer.received(content))) {
            wrong.add("call " + call + ", " + path + ": " + answer.statusCode() + ", " + answer.body());
        }
    }
}
