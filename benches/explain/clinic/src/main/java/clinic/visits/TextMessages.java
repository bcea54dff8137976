package clinic.visits;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

@Component
class TextMessages {
    private final RestClient gateway;

    TextMessages(RestClient.Builder clients, @Value("${upstream}") String gateway) {
        this.gateway = clients.baseUrl(gateway).build();
    }

    void send(String phone, String text) {
        gateway.get()
                .uri("/send?to={phone}&text={text}", phone, text)
                .retrieve()
                .toBodilessEntity();
    }
}
