package clinic.formulary;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class DrugController {
    private final Wholesalers wholesalers;

    DrugController(Wholesalers wholesalers) {
        this.wholesalers = wholesalers;
    }

    @GetMapping("/drugs/{drug}/price")
    Price price(@PathVariable String drug) {
        return new Price(drug, wholesalers.cents(drug));
    }

    record Price(String drug, int cents) {}
}
