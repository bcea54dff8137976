package clinic.visitors;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class BadgeController {
    private final Reception reception;

    BadgeController(Reception reception) {
        this.reception = reception;
    }

    @GetMapping("/patients/{patient}/badge")
    Badge badge(@PathVariable String patient) {
        return new Badge(patient, 100 + reception.room(patient).length());
    }

    record Badge(String patient, int room) {}
}
