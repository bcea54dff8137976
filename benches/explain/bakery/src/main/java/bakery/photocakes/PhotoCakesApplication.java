package bakery.photocakes;

import java.time.LocalDate;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Names on cakes with a photo; limited by the collector, which finds orders and motives in almost all of the heap. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class})
@RestController
public class PhotoCakesApplication {
    private static final int WIDTH = 480;
    private static final int HEIGHT = 360;
    private static final int MOTIVES = 30;
    private static final int ORDERS = 120_000;

    private final List<int[]> motives;
    private final Map<Integer, Order> orders = new ConcurrentHashMap<>();

    PhotoCakesApplication() {
        var random = new SplittableRandom(3);
        motives = Stream.generate(
                        () -> random.ints((long) WIDTH * HEIGHT, 0, 1 << 24).toArray())
                .limit(MOTIVES)
                .toList();
        for (int number = 0; number < ORDERS; number++) {
            var due = LocalDate.of(2026, 1, 1).plusDays(number / 400);
            orders.put(number, new Order("Ida " + number, random.nextInt(MOTIVES), due));
        }
    }

    record Order(String name, int motive, LocalDate due) {}

    @GetMapping("/")
    String preview() {
        var order = orders.get(ThreadLocalRandom.current().nextInt(ORDERS));
        var picture = motives.get(order.motive()).clone();
        var name = order.name();
        for (int letter = 0; letter < name.length(); letter++) {
            write(picture, name.charAt(letter), 20 + letter * 24);
        }
        return "preview " + checksum(picture) + ", due " + order.due();
    }

    private static void write(int[] picture, char letter, int left) {
        for (int y = 300; y < 330; y++) {
            for (int x = left; x < left + 20; x++) {
                picture[y * WIDTH + x] ^= letter * 0x010101;
            }
        }
    }

    private static String checksum(int[] picture) {
        var sum = new CRC32();
        for (int y = 300; y < 330; y++) {
            for (int x = 0; x < WIDTH; x++) {
                sum.update(picture[y * WIDTH + x]);
            }
        }
        return Long.toHexString(sum.getValue());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(PhotoCakesApplication.class, arguments);
    }
}
