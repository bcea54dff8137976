package vineyard.excise;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Excise numbers for bottles, from an office whose terminals one has to log on to. */
@SpringBootApplication
public class ExciseApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ExciseApplication.class, arguments);
    }
}
