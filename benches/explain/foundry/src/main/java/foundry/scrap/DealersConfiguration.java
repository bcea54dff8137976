package foundry.scrap;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

@Configuration
class DealersConfiguration {
    @Bean
    RestClient dealers(
            RestClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${dealers.calls-per-second:45}") int calls) {
        return clients.baseUrl(address).requestInterceptor(new Contract(calls)).build();
    }
}
