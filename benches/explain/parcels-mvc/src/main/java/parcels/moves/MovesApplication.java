package parcels.moves;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Parcels that are moved from shelf to shelf, by cranes of a warehouse. */
@SpringBootApplication
public class MovesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(MovesApplication.class, arguments);
    }
}
