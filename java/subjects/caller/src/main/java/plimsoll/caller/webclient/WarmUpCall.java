package plimsoll.caller.webclient;

import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientException;
import plimsoll.caller.CallerProperties;

/** One call before the first request is served, so that no caller waits for what a first call makes. */
@Component
@Profile("webclient")
@ConditionalOnProperty("caller.warm-up-url")
class WarmUpCall implements SmartInitializingSingleton {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUpCall.class);

    private final WebClient webClient;
    private final URI url;

    WarmUpCall(WebClient webClient, CallerProperties properties) {
        this.webClient = webClient;
        this.url = properties.warmUpUrl();
    }

    @Override
    public void afterSingletonsInstantiated() {
        try {
            webClient.get().uri(url).retrieve().toBodilessEntity().block();
        } catch (WebClientException failure) {
            LOG.warn("the warm-up call to {} failed: {}", url, failure.getMessage());
        }
    }
}
