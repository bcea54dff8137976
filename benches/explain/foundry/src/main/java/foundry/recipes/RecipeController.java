package foundry.recipes;

import java.util.concurrent.Semaphore;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

@RestController
class RecipeController {
    private final Semaphore sessions = new Semaphore(80);
    private final RestClient laboratory;

    RecipeController(RestClient.Builder clients, @Value("${upstream}") String laboratory) {
        this.laboratory = clients.baseUrl(laboratory).build();
    }

    @GetMapping("/alloys/{alloy}/recipe")
    Recipe recipe(@PathVariable String alloy) throws InterruptedException {
        sessions.acquire();
        try {
            var found =
                    laboratory.get().uri("/recipes/{alloy}", alloy).retrieve().body(String.class);
            return new Recipe(alloy, found.length() / 10.0, 100 - found.length() / 10.0);
        } finally {
            sessions.release();
        }
    }

    record Recipe(String alloy, double silicon, double aluminium) {}
}
