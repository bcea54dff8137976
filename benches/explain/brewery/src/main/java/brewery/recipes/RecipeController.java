package brewery.recipes;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class RecipeController {
    private static final int DEGREES = 62;

    private final JdbcClient recipes;

    RecipeController(JdbcClient recipes) {
        this.recipes = recipes;
    }

    @GetMapping("/beers/{beer}/mash")
    Mash mash(@PathVariable String beer) {
        var malt = recipes.sql("select malt from mashes where beer = ?")
                .param(beer)
                .query(String.class)
                .single();
        return new Mash(beer, malt, DEGREES + malt.length() % 7);
    }

    record Mash(String beer, String malt, int degrees) {}
}
