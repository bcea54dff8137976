package vets.passports;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@RestController
class PassportController {
    private final JdbcTemplate animals;
    private final RestClient chips;

    PassportController(JdbcTemplate animals, RestClient.Builder clients, @Value("${upstream}") String chips) {
        this.animals = animals;
        this.chips = clients.baseUrl(chips).build();
    }

    @GetMapping("/passports/{number}")
    Passport passport(@PathVariable long number) {
        var owner = animals.queryForObject("select owner from animals where passport = " + number, String.class);
        var chip = chips.get().uri("/chips/{number}", number).retrieve().body(String.class);
        return new Passport(number, owner, "276-%09d".formatted(chip.length() * 31 + number));
    }

    record Passport(long number, String owner, String chip) {}
}
