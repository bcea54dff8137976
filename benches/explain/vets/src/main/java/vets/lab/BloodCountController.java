package vets.lab;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.JettyClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@RestController
class BloodCountController {
    private static final double NORMAL = 12.5;

    private final RestClient laboratory;

    BloodCountController(
            RestClient.Builder clients, JettyClientHttpRequestFactory requests, @Value("${upstream}") String address) {
        laboratory = clients.baseUrl(address).requestFactory(requests).build();
    }

    @GetMapping("/samples/{sample}")
    BloodCount count(@PathVariable String sample) {
        var answer =
                laboratory.get().uri("/samples/{sample}", sample).retrieve().body(String.class);
        var leucocytes = NORMAL + (answer.length() + sample.hashCode()) % 7;
        return new BloodCount(sample, leucocytes, leucocytes > 15);
    }

    record BloodCount(String sample, double leucocytes, boolean conspicuous) {}
}
