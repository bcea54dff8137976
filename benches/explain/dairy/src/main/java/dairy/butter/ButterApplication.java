package dairy.butter;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** Analyses of butter as compressed JSON; work for the CPU by design, so that it is limited by its share of the CPU. */
@SpringBootApplication
@RestController
public class ButterApplication {
    record Analysis(int batch, String dairy, double fat, double water, List<Integer> spectrum) {}

    private final JsonMapper mapper;

    ButterApplication(JsonMapper mapper) {
        this.mapper = mapper;
    }

    @GetMapping("/")
    String export() throws IOException {
        var analyses =
                IntStream.range(0, 150).mapToObj(ButterApplication::analysis).toList();
        var packed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(packed)) {
            gzip.write(mapper.writeValueAsBytes(analyses));
        }
        return "exported " + packed.size();
    }

    private static Analysis analysis(int batch) {
        var random = ThreadLocalRandom.current();
        var spectrum = random.ints(40, 0, 4_096).boxed().toList();
        return new Analysis(batch, "north", 80 + random.nextDouble(), 16 + random.nextDouble(), spectrum);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ButterApplication.class, arguments);
    }
}
