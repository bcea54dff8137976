package clinic.vaccines;

import clinic.vaccines.Campaign.Patient;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class InvitationController {
    private static final int SIZE = 20;

    private final Campaign campaign;

    InvitationController(Campaign campaign) {
        this.campaign = campaign;
    }

    @GetMapping("/campaigns/{name}/invitations")
    Invitations invitations(@PathVariable String name, @RequestParam(defaultValue = "0") int page) {
        return new Invitations(name, page, campaign.toInvite(page, SIZE));
    }

    record Invitations(String campaign, int page, List<Patient> patients) {}
}
