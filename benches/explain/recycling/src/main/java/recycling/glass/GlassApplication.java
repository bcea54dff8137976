package recycling.glass;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Credits for returned glass, from a clearing house that allows only so many questions a second. */
@SpringBootApplication
public class GlassApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(GlassApplication.class, arguments);
    }
}
