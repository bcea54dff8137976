package garage.labour;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

/** The maker's service for workshops. */
@Component
class Maker {
    private final RestClient service;

    Maker(RestClient.Builder clients, @Value("${upstream}") String service) {
        this.service = clients.baseUrl(service).build();
    }

    int minutes(String job) {
        return ask("/minutes/{job}", job).length();
    }

    int parts(String job) {
        return ask("/parts/{job}", job).length() / 20;
    }

    private String ask(String path, String job) {
        return service.get().uri(path, job).retrieve().body(String.class);
    }
}
