package garage.loans;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class LoanController {
    private final Fleet fleet;

    LoanController(Fleet fleet) {
        this.fleet = fleet;
    }

    @GetMapping("/customers/{customer}/loan-car")
    Loan loan(@PathVariable String customer) {
        return new Loan(customer, fleet.carFor(customer));
    }

    record Loan(String customer, String car) {}
}
