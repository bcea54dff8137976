package plimsoll.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** By each client the caller answers what its upstream does, and nothing of another client is in its process. */
class CallerContractIT {

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    /** Classes that Spring's conditions look for when they decide what to configure. */
    private static final Set<String> LOOKED_FOR = Set.of(
            "feign.Feign",
            "feign.hc5.ApacheHttp5Client",
            "org.apache.hc.client5.http.async.HttpAsyncClient",
            "org.apache.hc.client5.http.impl.async.CloseableHttpAsyncClient",
            "reactor.netty.http.client.HttpClient");

    private static final String FEIGN_CLASSES = "feign\\..*";
    private static final String HTTP_COMPONENTS_CLASSES = "org\\.apache\\.hc\\.client5\\..*";

    /** The clients, and what only they stand on. */
    private enum Client {
        FEIGN("feign", FEIGN_CLASSES),
        FEIGN_HC5("feign-hc5", FEIGN_CLASSES, HTTP_COMPONENTS_CLASSES),
        RESTTEMPLATE("resttemplate", "plimsoll\\..*RestTemplateUpstream", HTTP_COMPONENTS_CLASSES),
        RESTCLIENT("restclient", "org\\.springframework\\..*DefaultRestClient", HTTP_COMPONENTS_CLASSES),
        WEBCLIENT("webclient", "reactor\\.netty\\.http\\.client\\..*", "io\\.netty\\.channel\\..*");

        private final String setting;
        private final List<Pattern> classes;

        Client(String setting, String... classes) {
            this.setting = setting;
            this.classes = Stream.of(classes).map(Pattern::compile).toList();
        }
    }

    @ParameterizedTest
    @EnumSource
    void nothingOfAnotherClientIsLoaded(Client client) throws Exception {
        var log = Path.of("target", "caller-classes-" + client.setting + ".log").toAbsolutePath();
        // An archive that is made at the end loads classes of its own.
        var flags = List.of("-XX:-AutoCreateSharedArchive", "-Xlog:class+load:file=" + log + "::filecount=0");
        try (var upstream = new EchoServer();
                var caller = launch(client, flags, upstream)) {
            assertThat(get(caller, "/call").body()).isEqualTo("the root\n");
        }
        var loaded = loaded(log);
        for (var own : client.classes) {
            assertThat(loaded).anyMatch(own.asMatchPredicate());
        }
        for (var foreign : foreignTo(client)) {
            assertThat(loaded).filteredOn(foreign.asMatchPredicate()).isEmpty();
        }
    }

    private static List<Pattern> foreignTo(Client client) {
        var foreign = new ArrayList<Pattern>();
        for (var other : Client.values()) {
            foreign.addAll(other.classes);
        }
        foreign.removeIf(
                pattern -> client.classes.stream().anyMatch(own -> own.pattern().equals(pattern.pattern())));
        return foreign;
    }

    private static List<String> loaded(Path log) throws IOException {
        try (var lines = Files.lines(log)) {
            return lines.map(line -> line.replaceFirst("^(\\[[^]]*])*\\s*", "").split(" ")[0])
                    .filter(name -> !LOOKED_FOR.contains(name))
                    .toList();
        }
    }

    @Test
    void feignsPoolTellsOfItself() throws Exception {
        try (var upstream = new EchoServer();
                var caller = launch(Client.FEIGN_HC5, List.of(), upstream, "--caller.pool.max-idle-time=30s")) {
            get(caller, "/call");
            assertThat(get(caller, "/actuator/prometheus").body())
                    .contains("caller_pool_leased 0", "caller_pool_pending 0");
        }
    }

    /** On Netty, as the experiments have it: ready before it serves, and with the times of the call's parts. */
    @Test
    void webClientIsWarmedUpAndTellsItsTimes() throws Exception {
        try (var upstream = new EchoServer();
                var caller = launch(
                        Client.WEBCLIENT,
                        List.of(),
                        upstream,
                        "--spring.main.web-application-type=reactive",
                        "--caller.server-timing=true",
                        "--caller.warm-up=true",
                        "--caller.pool.max-idle-time=1ms",
                        "--caller.warm-up-url=" + upstream.url("/connection"))) {
            assertThat(upstream.connections())
                    .as("connections before it is ready")
                    .isEqualTo(1);

            var answer = get(caller, "/call");

            assertThat(answer.body()).isEqualTo("the root\n");
            assertThat(answer.headers().firstValue("Server-Timing").orElse("")).contains("connect;dur=", "total;dur=");
            assertThat(get(caller, "/batch?calls=4&concurrency=2").body()).isEqualTo("4");
        }
    }

    @Test
    void webClientTrustsTheBundleThatSpringIsGiven() throws Exception {
        try (var upstream = EchoServer.overMutualTls();
                var caller = launch(
                        Client.WEBCLIENT,
                        List.of(),
                        upstream,
                        "--spring.http.clients.ssl.bundle=upstream",
                        "--spring.ssl.bundle.pem.upstream.truststore.certificate=file:" + Certificates.authority(),
                        "--spring.ssl.bundle.pem.upstream.keystore.certificate=file:" + Certificates.client(),
                        "--spring.ssl.bundle.pem.upstream.keystore.private-key=file:" + Certificates.clientKey())) {
            assertThat(get(caller, "/call").body()).isEqualTo("the root\n");
        }
    }

    private static RunningSubject launch(Client client, List<String> flags, EchoServer upstream, String... settings)
            throws IOException, InterruptedException {
        var own = List.of("--caller.client=" + client.setting, "--caller.upstream=" + upstream.url(""));
        var all = Stream.concat(own.stream(), Stream.of(settings)).toList();
        return RunningSubject.launch("caller", "caller-" + client.setting, flags, all);
    }

    private static HttpResponse<String> get(RunningSubject caller, String path)
            throws IOException, InterruptedException {
        return HTTP.send(HttpRequest.newBuilder(caller.uri(path)).build(), BodyHandlers.ofString());
    }
}
