package plimsoll.caller.rest;

import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;
import plimsoll.caller.CallerProperties;
import plimsoll.caller.Upstream;

/** The upstream by {@link RestClient}. */
@Service
@Profile("restclient")
class RestClientUpstream implements Upstream {

    private final RestClient restClient;

    RestClientUpstream(RestClient.Builder builder, CallerProperties properties) {
        this.restClient = builder.baseUrl(properties.upstream()).build();
    }

    @Override
    public String fetch() {
        return restClient.get().uri("/").retrieve().body(String.class);
    }
}
