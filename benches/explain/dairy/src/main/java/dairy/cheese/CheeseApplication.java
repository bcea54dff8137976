package dairy.cheese;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Labels of cheese, out of Caffeine's cache; limited by garbage collection, as the cache nearly fills the heap. */
@SpringBootApplication
@RestController
public class CheeseApplication {
    private static final String[] LANGUAGES = {"de", "en", "fr", "it", "nl", "pl", "sv", "da"};

    private final LoadingCache<Integer, Map<String, String>> labels;
    private final int cheeses;

    CheeseApplication(@Value("${cheese.cheeses:20000}") int cheeses) {
        this.cheeses = cheeses;
        labels = Caffeine.newBuilder().maximumSize(cheeses * 3 / 4).build(CheeseApplication::label);
        for (int cheese = 0; cheese < cheeses; cheese++) {
            labels.get(cheese);
        }
    }

    private static Map<String, String> label(int cheese) {
        var label = new LinkedHashMap<String, String>();
        for (var language : LANGUAGES) {
            label.put(language, "cheese " + cheese + ", " + language + ": milk, salt, cultures, rennet. ".repeat(8));
        }
        return label;
    }

    /** Draws a sheet of labels, on a plate for each colour. */
    @GetMapping("/")
    String print() {
        var plates = new byte[4][250_000];
        for (int copy = 0; copy < 20; copy++) {
            var label = labels.get(ThreadLocalRandom.current().nextInt(cheeses));
            var text = label.get(LANGUAGES[copy % LANGUAGES.length]).getBytes(StandardCharsets.UTF_8);
            System.arraycopy(text, 0, plates[copy % plates.length], copy * 1_000, text.length);
        }
        return "printed on " + plates.length + " plates, " + plates[0][0];
    }

    public static void main(String[] arguments) {
        SpringApplication.run(CheeseApplication.class, arguments);
    }
}
