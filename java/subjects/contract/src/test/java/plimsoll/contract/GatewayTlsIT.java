package plimsoll.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every client calls upstreams that demand a certificate, and uses its connections to them again. */
class GatewayTlsIT {

    private static final int CALLS = 5;
    private static final int BYTES = 100_000;

    @ParameterizedTest
    @MethodSource("plimsoll.contract.GatewayVariant#everyClient")
    void showsItsCertificate(GatewayVariant variant) throws Exception {
        var content = EchoServer.content(BYTES);
        try (var upstream = EchoServer.overMutualTls();
                var gateway = launch(variant);
                var caller = new GatewayCaller(gateway)) {
            for (var path : List.of("/bytes/fixed/", "/bytes/chunked/")) {
                var request = caller.request(upstream.url(path + BYTES)).build();
                assertThat(caller.send(request, BodyHandlers.ofByteArray()).body())
                        .isEqualTo(content);
            }
            for (int call = 0; call < CALLS; call++) {
                var body = BodyPublishers.ofByteArray(content);
                var request = caller.request(upstream.url("/echo"))
                        .POST(call % 2 == 0 ? body : BodyPublishers.fromPublisher(body))
                        .build();
                assertThat(caller.send(request, BodyHandlers.ofString(UTF_8)).body())
                        .endsWith("\n" + EchoServer.received(content));
            }
            caller.assertConnectionsAreUsedAgain(upstream);
        }
    }

    private static RunningSubject launch(GatewayVariant variant) throws Exception {
        return variant.launch(
                "tls",
                "--gateway.allowed-hosts=127.0.0.1",
                "--gateway.allow-private-addresses=true",
                "--gateway.ssl.bundle=upstreams",
                "--spring.ssl.bundle.pem.upstreams.truststore.certificate=file:" + Certificates.authority(),
                "--spring.ssl.bundle.pem.upstreams.keystore.certificate=file:" + Certificates.client(),
                "--spring.ssl.bundle.pem.upstreams.keystore.private-key=file:" + Certificates.clientKey());
    }
}
