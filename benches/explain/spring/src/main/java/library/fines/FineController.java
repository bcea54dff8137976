package library.fines;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class FineController {
    private final FineService fines;

    FineController(FineService fines) {
        this.fines = fines;
    }

    @GetMapping("/")
    String pay() {
        return fines.pay();
    }
}
