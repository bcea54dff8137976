package vineyard.search;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Finds wines whose names hold a word, with or without its accents. */
@SpringBootApplication
public class SearchApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(SearchApplication.class, arguments);
    }
}
