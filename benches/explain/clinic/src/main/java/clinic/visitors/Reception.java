package clinic.visitors;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.GetExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** The reception, which knows who lies where. */
interface Reception {
    @GetExchange("/patients/{patient}/room")
    String room(@PathVariable String patient);

    @GetExchange("/badges/{badge}")
    String check(@PathVariable int badge);

    @Configuration(proxyBeanMethods = false)
    class Client {
        @Bean
        Reception reception(RestClient.Builder clients, @Value("${upstream}") String address) {
            var adapter = RestClientAdapter.create(clients.baseUrl(address).build());
            return HttpServiceProxyFactory.builderFor(adapter).build().createClient(Reception.class);
        }
    }
}
