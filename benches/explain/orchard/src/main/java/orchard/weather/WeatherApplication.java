package orchard.weather;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Weather for pickers who have a licence, which a filter looks up in runBlocking: an event loop waits for it. */
@SpringBootApplication
public class WeatherApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(WeatherApplication.class, arguments);
    }
}
