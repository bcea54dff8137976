package bakery.allergens;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Contents of a pastry; limited by the CPU, which examines all classes anew for each answer. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, TomcatServletWebServerAutoConfiguration.class})
@RestController
public class AllergensApplication {
    private static final List<String> ALLERGENS = List.of("gluten", "milk", "egg", "nuts", "sesame", "soy", "lupin");

    private final Sheets sheets;

    AllergensApplication(Sheets sheets) {
        this.sheets = sheets;
    }

    record Sheet(String pastry, LocalDate baked, List<Ingredient> ingredients, Nutrition nutrition, Origin origin) {}

    record Ingredient(String name, int percent, Map<String, Boolean> contains) {}

    record Nutrition(double kilojoules, double fat, double sugar, double salt) {}

    record Origin(String mill, String country, List<String> labels) {}

    @GetMapping(path = "/", produces = MediaType.APPLICATION_JSON_VALUE)
    String sheet() {
        int number = ThreadLocalRandom.current().nextInt(300);
        var ingredients =
                List.of(ingredient("flour", 52), ingredient("butter", 31), ingredient("almonds", number % 17));
        return sheets.write(new Sheet(
                "pastry " + number,
                LocalDate.of(2026, 11, 1 + number % 30),
                ingredients,
                new Nutrition(1_630.5 + number, 21.2, 17.9, 0.61),
                new Origin("Lower Mill", "AT", List.of("organic", "stone-ground"))));
    }

    private static Ingredient ingredient(String name, int percent) {
        var allergen = ALLERGENS.get((name.length() + percent) % ALLERGENS.size());
        return new Ingredient(name, percent, Map.of(allergen, percent > 5));
    }

    public static void main(String[] arguments) {
        SpringApplication.run(AllergensApplication.class, arguments);
    }
}
