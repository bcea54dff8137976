package plimsoll.caller.rest;

import org.springframework.boot.restclient.RestTemplateBuilder;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestTemplate;
import plimsoll.caller.CallerProperties;
import plimsoll.caller.Upstream;

/** The upstream by {@link RestTemplate}. */
@Service
@Profile("resttemplate")
class RestTemplateUpstream implements Upstream {

    private final RestTemplate restTemplate;

    RestTemplateUpstream(RestTemplateBuilder builder, CallerProperties properties) {
        this.restTemplate = builder.baseUri(properties.upstream().toString()).build();
    }

    @Override
    public String fetch() {
        return restTemplate.getForObject("/", String.class);
    }
}
