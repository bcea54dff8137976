package parcels.routes;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** The next stops of a van, by a planner that computes them. */
@SpringBootApplication
public class RoutesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(RoutesApplication.class, arguments);
    }
}
