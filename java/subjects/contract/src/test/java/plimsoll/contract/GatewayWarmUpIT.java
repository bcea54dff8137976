package plimsoll.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** {@code gateway.warm-up-url} is called before the gateway serves. */
class GatewayWarmUpIT {

    @ParameterizedTest
    @MethodSource("plimsoll.contract.GatewayVariant#everyClient")
    void theCallIsMadeBeforeTheGatewayIsReady(GatewayVariant variant) throws Exception {
        try (var upstream = new EchoServer();
                var gateway = launch(variant, upstream.url("/connection"))) {
            assertThat(upstream.connections()).as("connections").isEqualTo(1);
            assertThat(metrics(gateway)).contains("gateway_calls_seconds_count{outcome=\"2xx\"} 1");
        }
    }

    @Test
    void anUpstreamThatFailsDoesNotKeepItFromStarting() throws Exception {
        try (var gateway = launch(new GatewayVariant("netty", false, "webclient"), "http://127.0.0.1:1/")) {
            assertThat(metrics(gateway)).contains("gateway_calls_seconds_count{outcome=\"connect-refused\"} 1");
        }
    }

    @Test
    void aUrlThatMayNotBeCalledIsAWrongSetting() {
        var variant = new GatewayVariant("tomcat", false, "feign-hc5");

        assertThatThrownBy(() -> launch(variant, "http://example.com/").close())
                .hasMessageContaining("not ready; its output:")
                .hasMessageContaining("is not in gateway.allowed-hosts");
    }

    private static RunningSubject launch(GatewayVariant variant, String url) throws Exception {
        return variant.launch(
                "warm-up",
                List.of(),
                "--gateway.allowed-hosts=127.0.0.1",
                "--gateway.allow-private-addresses=true",
                "--gateway.warm-up-url=" + url);
    }

    private static String metrics(RunningSubject gateway) throws Exception {
        try (var caller = new GatewayCaller(gateway)) {
            return caller.metrics();
        }
    }
}
