package clinic.diagnoses;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@RestController
class CodeController {
    private final RestClient register;

    CodeController(RestClient.Builder clients, @Value("${upstream}") String register) {
        this.register = clients.baseUrl(register).build();
    }

    @GetMapping("/codes")
    Code code(@RequestParam("of") String diagnosis) {
        var entry = register.get()
                .uri("/icd?text={diagnosis}", diagnosis)
                .retrieve()
                .body(String.class);
        return new Code(diagnosis, "J" + entry.length() % 99);
    }

    record Code(String diagnosis, String code) {}
}
