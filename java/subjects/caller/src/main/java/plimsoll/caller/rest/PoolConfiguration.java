package plimsoll.caller.rest;

import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;
import plimsoll.caller.CallerProperties;

/** The pool of HttpClient 5 under RestTemplate and RestClient. */
@Configuration(proxyBeanMethods = false)
@Profile("resttemplate | restclient")
class PoolConfiguration {

    @Bean
    ClientHttpRequestFactoryBuilderCustomizer<HttpComponentsClientHttpRequestFactoryBuilder> pool(
            CallerProperties properties) {
        var pool = properties.pool();
        return factory -> factory.withConnectionManagerCustomizer(manager -> {
            var map = PropertyMapper.get();
            map.from(pool::maxPerRoute).to(manager::setMaxConnPerRoute);
            map.from(pool::maxTotal).to(manager::setMaxConnTotal);
        });
    }
}
