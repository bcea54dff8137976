package clinic.dosages;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class DosageController {
    @GetMapping("/dosages")
    Dosage dosage(@RequestParam("mg") double milligrams, @RequestParam("kg") double kilograms) {
        return new Dosage(milligrams, new Course(milligrams, kilograms).inBlood());
    }

    record Dosage(double milligrams, double inBlood) {}
}
