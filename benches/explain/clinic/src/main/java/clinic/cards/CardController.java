package clinic.cards;

import clinic.cards.Cards.Card;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class CardController {
    private final Cards cards;

    CardController(Cards cards) {
        this.cards = cards;
    }

    @GetMapping("/cards/{number}/cover")
    Cover cover(@PathVariable String number) {
        return new Cover(number, cards.find(number).map(Card::insurer).orElse("pays herself"));
    }

    record Cover(String card, String by) {}
}
