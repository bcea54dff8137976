package foundry.ingots;

import java.util.stream.LongStream;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.stereotype.Component;

/** Brings the ingots of the last inventory into the yard. */
@Component
class Yard implements ApplicationRunner {
    private static final int INGOTS = 60;
    private static final int STACKS = 12;

    private final Ingots ingots;

    Yard(Ingots ingots) {
        this.ingots = ingots;
    }

    @Override
    public void run(ApplicationArguments arguments) {
        ingots.saveAll(LongStream.range(0, INGOTS)
                .mapToObj(number -> new Ingot(number, (int) number % STACKS, 700, number % 3 == 0 ? "AlSi7" : "AlMg3"))
                .toList());
    }
}
