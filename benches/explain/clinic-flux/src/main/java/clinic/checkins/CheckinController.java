package clinic.checkins;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

@RestController
class CheckinController {
    private final WebClient calendar;

    CheckinController(WebClient.Builder clients, @Value("${upstream}") String calendar) {
        this.calendar = clients.baseUrl(calendar).build();
    }

    @GetMapping("/patients/{patient}/checkin")
    Mono<Checkin> checkin(@PathVariable String patient) {
        return calendar.get()
                .uri("/appointments/{patient}", patient)
                .retrieve()
                .bodyToMono(String.class)
                .map(appointment -> new Checkin(patient, "room " + appointment.length() % 12));
    }

    record Checkin(String patient, String waitsIn) {}
}
