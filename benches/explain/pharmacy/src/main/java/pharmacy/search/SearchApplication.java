package pharmacy.search;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Search of drugs by their names, limited by the CPU, which goes through the whole catalogue for each request. */
@SpringBootApplication
@RestController
public class SearchApplication {
    private final Catalogue catalogue;
    private final boolean indexed;

    SearchApplication(@Value("${search.indexed:false}") boolean indexed) {
        catalogue = new Catalogue(40_000);
        this.indexed = indexed;
    }

    @GetMapping("/")
    String find() {
        var name = Catalogue.name(ThreadLocalRandom.current().nextInt(40_000));
        return indexed ? catalogue.find(name) : catalogue.scan(name);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SearchApplication.class, arguments);
    }
}
