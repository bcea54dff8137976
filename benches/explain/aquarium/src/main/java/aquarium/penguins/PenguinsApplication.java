package aquarium.penguins;

import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Penguins in the order that they are fed in; limited by other processes, which take the CPU away. */
@SpringBootApplication
@RestController
public class PenguinsApplication {
    private final List<Penguin> colony;

    PenguinsApplication() {
        var random = new SplittableRandom(7);
        colony = IntStream.range(0, 800)
                .mapToObj(number -> new Penguin("P" + number, random.nextInt(3_000, 6_000), random.nextInt(24)))
                .toList();
    }

    record Penguin(String name, int grams, int hoursSinceMeal) {}

    @GetMapping("/")
    List<Penguin> hungriest() {
        return colony.stream()
                .sorted(Comparator.comparingInt(Penguin::hoursSinceMeal)
                        .reversed()
                        .thenComparing(Penguin::grams)
                        .thenComparing(Penguin::name))
                .limit(10)
                .toList();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(PenguinsApplication.class, arguments);
    }
}
