package library.loans;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class LoanController {
    private final LoanService loans;

    LoanController(LoanService loans) {
        this.loans = loans;
    }

    @GetMapping("/")
    String lend() {
        return loans.lend("Principia");
    }
}
