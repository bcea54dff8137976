package plimsoll.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.test.context.ConfigDataApplicationContextInitializer;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

/** With the defaults of {@code application.yml}. */
class GatewayPropertiesTest {

    private final ApplicationContextRunner context = new ApplicationContextRunner()
            .withInitializer(new ConfigDataApplicationContextInitializer())
            .withUserConfiguration(Bound.class);

    @Configuration
    @EnableConfigurationProperties(GatewayProperties.class)
    static class Bound {}

    @Test
    void everythingIsClosedByDefault() {
        context.run(started -> {
            var properties = started.getBean(GatewayProperties.class);
            assertThat(properties.allowedHosts()).isEmpty();
            assertThat(properties.allowPrivateAddresses()).isFalse();
            assertThat(properties.timeouts().lease()).isEqualTo(Duration.ofSeconds(5));
            assertThat(properties.pool().maxPerRoute()).isEqualTo(20);
        });
    }

    @Test
    void everyClientHasItsOwnPool() {
        context.withPropertyValues("gateway.client=webclient")
                .run(started -> assertThat(
                                started.getBean(GatewayProperties.class).pool().maxPerRoute())
                        .isEqualTo(500));
        context.withPropertyValues("gateway.client=webclient", "gateway.pool.max-per-route=7")
                .run(started -> assertThat(
                                started.getBean(GatewayProperties.class).pool().maxPerRoute())
                        .isEqualTo(7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "gateway.allowed-hosts=host:port",
                "gateway.timeouts.connect=0s",
                "gateway.pool.max-per-route=0",
                "gateway.pool.max-idle-time=-1s",
            })
    void settingsThatCannotWorkAreRefusedByName(String wrong) {
        context.withPropertyValues(wrong)
                .run(failed -> assertThat(failed)
                        .getFailure()
                        .rootCause()
                        .hasMessageContaining(wrong.substring(0, wrong.indexOf('='))));
    }
}
