package plimsoll.jmh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.web.reactive.function.client.WebClient;

class CallsTest {

    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger inFlightMax = new AtomicInteger();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private WebClient client;

    private int failures;
    private Duration latency = Duration.ofMillis(20);

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            inFlightMax.accumulateAndGet(inFlight.incrementAndGet(), Math::max);
            var fails = calls.incrementAndGet() <= failures;
            pause();
            inFlight.decrementAndGet();
            exchange.sendResponseHeaders(fails ? 503 : 200, -1);
            exchange.close();
        });
        server.start();
        client = WebClient.create("http://127.0.0.1:" + server.getAddress().getPort());
        // The first call of a process loads all of the client, which takes seconds on a busy machine.
        client.get().retrieve().toBodilessEntity().block();
        calls.set(0);
        inFlightMax.set(0);
    }

    private void pause() {
        try {
            Thread.sleep(latency);
        } catch (InterruptedException closing) {
            Thread.currentThread().interrupt();
        }
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.shutdownNow();
    }

    @Test
    void aBatchMakesEachCallAndKeepsToItsConcurrency() {
        Calls.batch(client, 50, 10).block();

        assertThat(calls).hasValue(50);
        assertThat(inFlightMax.get()).isBetween(2, 10);
    }

    @Test
    void aCallThatFailsIsTriedOnceMore() {
        failures = 1;

        Calls.one(client).block();

        assertThat(calls).hasValue(2);
    }

    @Test
    void aCallThatFailsTwiceHasFailed() {
        failures = 2;

        assertThatThrownBy(() -> Calls.one(client).block())
                .hasRootCauseMessage("503 Service Unavailable from GET " + "http://127.0.0.1:"
                        + server.getAddress().getPort() + "/");
        assertThat(calls).hasValue(2);
    }

    @Test
    void aCallThatTakesTooLongIsTriedOnceMoreToo() {
        latency = Duration.ofSeconds(30);

        assertThatThrownBy(() -> Calls.one(client, Duration.ofSeconds(5)).block())
                .hasRootCauseInstanceOf(TimeoutException.class);
        assertThat(calls).hasValue(2);
    }
}
