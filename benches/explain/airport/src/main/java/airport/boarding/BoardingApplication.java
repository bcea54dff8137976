package airport.boarding;

import airport.Partner;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Boarding lists: a group of eleven is asked for by one call, and the seat of each of them by another. */
@SpringBootApplication
@RestController
public class BoardingApplication {
    private final Seats seats = Partner.by(Seats.class);
    private final boolean together;

    BoardingApplication(@Value("${boarding.seats-together:false}") boolean together) {
        this.together = together;
    }

    @GetMapping("/")
    String list() {
        int group = seats.group(7).length();
        if (together) {
            return group + seats.of("1,2,3,4,5,6,7,8,9,10,11");
        }
        return group
                + IntStream.rangeClosed(1, 11)
                        .mapToObj(passenger -> seats.of(String.valueOf(passenger)))
                        .collect(Collectors.joining());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(BoardingApplication.class, arguments);
    }
}
