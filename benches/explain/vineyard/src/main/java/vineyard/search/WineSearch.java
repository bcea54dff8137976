package vineyard.search;

import java.text.Normalizer;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@Service
class WineList {
    private static final String[] HOUSES = {"Château", "Domaine", "Clos", "Quinta", "Weingut", "Bodega", "Côte"};
    private static final String[] PLACES = {"Prés", "Mühlberg", "Peñas", "Forêt", "Colheita", "Grüner Weg", "Évêque"};

    private final List<String> names;
    private final List<String> plain;

    WineList(@Value("${search.index:false}") boolean index) {
        var random = new Random(1855);
        names = IntStream.range(0, 6_000)
                .mapToObj(i -> HOUSES[random.nextInt(HOUSES.length)] + " " + PLACES[random.nextInt(PLACES.length)] + " "
                        + (1950 + random.nextInt(75)))
                .toList();
        plain = index ? names.stream().map(WineList::plain).toList() : null;
    }

    Flux<String> matching(String word) {
        var sought = plain(word);
        return Flux.range(0, names.size())
                .filter(i -> (plain == null ? plain(names.get(i)) : plain.get(i)).contains(sought))
                .map(names::get)
                .take(20);
    }

    private static String plain(String name) {
        return Normalizer.normalize(name, Normalizer.Form.NFD)
                .replaceAll("\\p{M}+", "")
                .toLowerCase(Locale.ROOT);
    }
}

@RestController
class SearchController {
    private final WineList wines;

    SearchController(WineList wines) {
        this.wines = wines;
    }

    @GetMapping("/wines")
    Mono<List<String>> search(@RequestParam String named) {
        return wines.matching(named).subscribeOn(Schedulers.parallel()).collectList();
    }
}
