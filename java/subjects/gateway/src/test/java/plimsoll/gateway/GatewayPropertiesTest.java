package plimsoll.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class GatewayPropertiesTest {

    @Test
    void everythingIsClosedByDefault() {
        var properties = bind(Map.of());

        assertThat(properties.allowedHosts()).isEmpty();
        assertThat(properties.allowPrivateAddresses()).isFalse();
        assertThat(properties.server()).isEqualTo(ServerKind.TOMCAT);
        assertThat(properties.timeouts().lease()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void nettyIsOnlyForTheClientThatDoesNotBlock() {
        assertThatThrownBy(() -> bind(Map.of("gateway.server", "netty", "gateway.client", "feign-okhttp")))
                .hasRootCauseMessage(
                        "gateway.server=netty needs gateway.client=webclient: OkHttp blocks its thread, and"
                                + " Netty's event loops must not be blocked; choose webclient, or gateway.server=tomcat");
        assertThat(bind(Map.of("gateway.server", "netty", "gateway.client", "webclient"))
                        .client())
                .isEqualTo(ClientKind.WEBCLIENT);
    }

    @Test
    void settingsThatCannotWorkAreRefusedByName() {
        for (var wrong : Map.of(
                        "gateway.allowed-hosts", "host:port",
                        "gateway.timeouts.connect", "0s",
                        "gateway.pool.max-per-route", "0",
                        "gateway.pool.max-idle-time", "-1s",
                        "gateway.batch.retry-delay", "-1s",
                        "gateway.warm-up", "true")
                .entrySet()) {
            assertThatThrownBy(() -> bind(Map.of(wrong.getKey(), wrong.getValue())))
                    .rootCause()
                    .hasMessageContaining(wrong.getKey());
        }
    }

    private static GatewayProperties bind(Map<String, String> settings) {
        return new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate("gateway", Bindable.of(GatewayProperties.class));
    }
}
