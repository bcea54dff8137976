package bakery;

import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;

/** Recipes as a compressed book: work for the processor, in proportion to the pages. */
@Controller
final class OvenController {
    private static final byte[] RECIPE = "Mix flour, water, salt and patience; knead, rest, fold, rest, shape, bake.\n"
            .repeat(8)
            .getBytes(StandardCharsets.UTF_8);

    @Get(uri = "/book/{pages}", produces = "text/plain")
    @ExecuteOn(TaskExecutors.IO)
    String book(@PathVariable int pages) throws IOException {
        var book = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(book)) {
            for (int page = 0; page < pages; page++) {
                out.write(("page " + page * 7_919 % 1_009 + "\n").getBytes(StandardCharsets.UTF_8));
                out.write(RECIPE);
            }
        }
        return "a book of " + book.size();
    }
}
