package vets.doses;

import java.util.List;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class DoseController {
    private final Forms forms;

    DoseController(Forms forms) {
        this.forms = forms;
    }

    @GetMapping("/doses")
    ResponseEntity<Dose> dose(@RequestParam String drug, @RequestParam String species, @RequestParam double kilograms) {
        var complaints = forms.complaints(new DoseForm(drug, species, kilograms));
        if (!complaints.isEmpty()) {
            return ResponseEntity.badRequest().body(new Dose(0, complaints));
        }
        var factor = species.equals("horse") ? 2.2 : 4.5;
        return ResponseEntity.ok(new Dose(Math.round(kilograms * factor), List.of()));
    }

    record Dose(long milligrams, List<String> complaints) {}
}
