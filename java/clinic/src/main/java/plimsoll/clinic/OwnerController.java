package plimsoll.clinic;

import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.server.ResponseStatusException;

@Controller
class OwnerController {

    private final Owners owners;

    OwnerController(Owners owners) {
        this.owners = owners;
    }

    @GetMapping("/owners")
    String list(@RequestParam(defaultValue = "") String lastName, Model model) {
        model.addAttribute("owners", owners.findByLastNameStartingWith(lastName));
        return "owners/list";
    }

    @GetMapping("/owners/{ownerId}")
    String one(@PathVariable int ownerId, Model model) {
        var owner = owners.findById(ownerId).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
        model.addAttribute("owner", owner);
        return "owners/one";
    }

    @PostMapping("/owners/new")
    String add(Owner owner) {
        return "redirect:/owners/" + owners.save(owner).getId();
    }

    /** Fails on purpose, as that of spring-petclinic does. */
    @GetMapping("/oups")
    String fail() {
        throw new IllegalStateException("expected: shows what happens when a controller throws");
    }
}
