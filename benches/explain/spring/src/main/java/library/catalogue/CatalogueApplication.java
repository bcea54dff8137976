package library.catalogue;

import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** All of the catalogue as JSON, or a page of it. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@RestController
public class CatalogueApplication {
    record Book(int number, String title, List<String> authors, LocalDate published, double weight) {}

    private final List<Book> books;
    private final int pageSize;

    CatalogueApplication(@Value("${catalogue.page-size:2000}") int pageSize) {
        this.pageSize = pageSize;
        books = IntStream.range(0, 2_000)
                .mapToObj(n -> new Book(
                        n,
                        "On the Motion of \"Bodies\", part " + n,
                        List.of("Author " + n % 37, "Editor " + n % 11),
                        LocalDate.ofEpochDay(n * 9L),
                        n / 7.0))
                .toList();
    }

    @GetMapping("/")
    List<Book> books() {
        return books.subList(0, pageSize);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(CatalogueApplication.class, arguments);
    }
}
