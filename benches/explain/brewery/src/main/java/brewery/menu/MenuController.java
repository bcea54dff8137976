package brewery.menu;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class MenuController {
    private static final int TAPS = 14;

    private final Kegs kegs;

    MenuController(Kegs kegs) {
        this.kegs = kegs;
    }

    @GetMapping("/bars/{bar}/menu")
    Map<String, String> menu(@PathVariable String bar) {
        List<String> taps =
                IntStream.range(0, TAPS).mapToObj(tap -> bar + "-" + tap).toList();
        var levels = kegs.levels(taps);
        var menu = new TreeMap<String, String>();
        for (int tap = 0; tap < TAPS; tap++) {
            menu.put(taps.get(tap), levels.get(tap));
        }
        return menu;
    }
}
