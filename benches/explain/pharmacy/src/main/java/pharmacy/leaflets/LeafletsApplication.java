package pharmacy.leaflets;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Package leaflets, which are put together from kept chapters; limited by the heap, which the chapters nearly fill. */
@SpringBootApplication
@RestController
public class LeafletsApplication {
    private final ConcurrentHashMap<Integer, String[]> chapters = new ConcurrentHashMap<>();
    private final int drugs;

    LeafletsApplication(@Value("${leaflets.drugs:10000}") int drugs) {
        this.drugs = drugs;
        for (int drug = 0; drug < drugs; drug++) {
            chapters.put(drug, chaptersOf(drug));
        }
    }

    private static String[] chaptersOf(int drug) {
        var chapters = new String[20];
        for (int chapter = 0; chapter < chapters.length; chapter++) {
            chapters[chapter] = ("Chapter " + chapter + " of drug " + drug + ". ").repeat(6);
        }
        return chapters;
    }

    @GetMapping("/")
    String leaflet() {
        int drug = ThreadLocalRandom.current().nextInt(drugs);
        chapters.put(drug, chaptersOf(drug));
        var leaflet = new StringBuilder();
        for (int copy = 0; copy < 20; copy++) {
            for (var chapter : chapters.get(drug)) {
                leaflet.append(chapter);
            }
        }
        return "leaflet of " + leaflet.toString().length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(LeafletsApplication.class, arguments);
    }
}
