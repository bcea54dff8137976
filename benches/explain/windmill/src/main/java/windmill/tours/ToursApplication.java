package windmill.tours;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Healthy: tours of the mill; a mailing is far behind, and photographs wait for a printer, but no request does. */
@SpringBootApplication
public class ToursApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(ToursApplication.class, arguments);
    }
}
