package brewery.casks;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CaskController {
    private static final int SITES = 500;

    private final CaskNumbers numbers;

    CaskController(CaskNumbers numbers) {
        this.numbers = numbers;
    }

    @GetMapping("/casks/next")
    String next() {
        int site = ThreadLocalRandom.current().nextInt(SITES);
        return "site " + site + ", cask " + numbers.next(site);
    }
}
