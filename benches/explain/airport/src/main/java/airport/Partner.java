package airport;

import org.springframework.http.client.ClientHttpRequestFactory;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** The partners of the airport, whose services are called through HTTP interfaces. */
public final class Partner {
    public static final String ADDRESS = System.getProperty("upstream", "http://127.0.0.1:9");

    private Partner() {}

    public static <T> T by(Class<T> service) {
        return by(new JdkClientHttpRequestFactory(), service);
    }

    public static <T> T by(ClientHttpRequestFactory connections, Class<T> service) {
        var client = RestClient.builder()
                .baseUrl(ADDRESS)
                .requestFactory(connections)
                .build();
        return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(service);
    }
}
