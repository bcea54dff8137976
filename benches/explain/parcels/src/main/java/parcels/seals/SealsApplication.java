package parcels.seals;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Customs papers, which another service seals once they are there. */
@SpringBootApplication
public class SealsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(SealsApplication.class, arguments);
    }
}
