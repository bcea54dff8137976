package plimsoll.jmh;

import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.netty.http.client.HttpClient;

/** The server that the benchmarks call. Its parameters are JMH's: {@code -p upstream=http://127.0.0.1:9000}. */
@State(Scope.Benchmark)
public class Upstream {

    static final String IN_PROCESS = "in-process";
    static final String SYSTEM = "system";

    /** Base URL, or a stub in this process, which answers after {@link #latency}. */
    @Param(IN_PROCESS)
    public String upstream;

    /** Latency of the stub in this process, in ISO 8601; another upstream has its own. */
    @Param("PT0.2S")
    public String latency;

    /** A PEM file with the authorities that an https upstream is checked against, or the system's. */
    @Param(SYSTEM)
    public String ca;

    private Stub stub;
    private HttpClient httpClient;
    private WebClient client;

    /** Only makes objects: nothing of Netty is initialised before the first call, or before it is warmed up. */
    @Setup(Level.Trial)
    public void start() throws IOException {
        if (upstream.equals(IN_PROCESS)) {
            stub = new Stub(Duration.parse(latency));
        }
        httpClient = trusting(HttpClient.create().baseUrl(stub == null ? upstream : stub.url()));
        client = WebClient.builder()
                .clientConnector(new ReactorClientHttpConnector(httpClient))
                .build();
    }

    private HttpClient trusting(HttpClient plain) throws IOException {
        if (ca.equals(SYSTEM)) {
            return plain;
        }
        var context = SslContextBuilder.forClient().trustManager(new File(ca)).build();
        return plain.secure(spec -> spec.sslContext(context));
    }

    @TearDown(Level.Trial)
    public void stop() {
        if (stub != null) {
            stub.close();
        }
    }

    HttpClient httpClient() {
        return httpClient;
    }

    WebClient client() {
        return client;
    }
}
