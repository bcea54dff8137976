package pharmacy.teas;

import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Recipes of herbal teas, on virtual threads, which wait for the monitor of the one recipe book. */
@SpringBootApplication
@RestController
public class TeasApplication {
    private final RecipeBook[] books;

    TeasApplication(
            RestClient.Builder clients, @Value("${teas.books:1}") int books, @Value("${upstream}") String herbalist) {
        var client = clients.baseUrl(herbalist).build();
        this.books = Stream.generate(() -> new RecipeBook(client)).limit(books).toArray(RecipeBook[]::new);
    }

    @GetMapping("/")
    String recipe() {
        int tea = ThreadLocalRandom.current().nextInt(100_000);
        return books[tea % books.length].recipe(tea);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(TeasApplication.class, arguments);
    }
}
