package recycling.streets;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Streets on a lorry's tour, each with a remark. */
@SpringBootApplication
public class StreetsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(StreetsApplication.class, arguments);
    }
}
