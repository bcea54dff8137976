package brewery.tasting;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class BeerController {
    private final BeerPages pages;

    BeerController(BeerPages pages) {
        this.pages = pages;
    }

    @GetMapping("/beers/{beer}")
    BeerPage beer(@PathVariable String beer) {
        return pages.page(beer);
    }
}
