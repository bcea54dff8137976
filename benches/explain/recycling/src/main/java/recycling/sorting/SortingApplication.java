package recycling.sorting;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Plans for the sorting line, worked out anew for each batch. */
@SpringBootApplication
public class SortingApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(SortingApplication.class, arguments);
    }
}
