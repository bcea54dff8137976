package library.loans;

import org.springframework.stereotype.Service;

@Service
class LoanService {
    String lend(String book) {
        return "lent " + book;
    }
}
