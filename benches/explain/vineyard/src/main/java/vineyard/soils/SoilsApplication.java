package vineyard.soils;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Soils of the parcels in layers, which stay in memory, and are drawn with what a weather service says. */
@SpringBootApplication
public class SoilsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(SoilsApplication.class, arguments);
    }
}
