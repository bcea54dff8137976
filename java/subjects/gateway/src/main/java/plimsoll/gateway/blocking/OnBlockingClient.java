package plimsoll.gateway.blocking;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.NoneNestedConditions;

/** Holds for every client but the one that does not block. */
class OnBlockingClient extends NoneNestedConditions {

    OnBlockingClient() {
        super(ConfigurationPhase.REGISTER_BEAN);
    }

    @ConditionalOnProperty(name = "gateway.client", havingValue = "webclient")
    static class WebClient {}
}
