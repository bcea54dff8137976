package clinic.letters;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
class LetterController {
    private final Hospitals hospitals;

    LetterController(Hospitals hospitals) {
        this.hospitals = hospitals;
    }

    @GetMapping("/letters/{number}")
    Mono<Letter> letter(@PathVariable String number) {
        return hospitals.letter(number).map(text -> new Letter(number, text));
    }

    record Letter(String number, String text) {}
}
