package vets.register;

import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RegisterController {
    private final Journal journal;

    RegisterController(Journal journal) {
        this.journal = journal;
    }

    @GetMapping("/drugs/{drug}/take")
    String take(@PathVariable String drug, @RequestParam(defaultValue = "1") int boxes) throws IOException {
        return journal.take(drug, boxes) + " boxes are left";
    }
}
