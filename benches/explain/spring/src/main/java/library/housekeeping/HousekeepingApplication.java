package library.housekeeping;

import java.net.http.HttpClient;
import java.util.concurrent.TimeUnit;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Healthy: a task tidies the shelves every 20 seconds under the monitor that each request enters for a moment. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@EnableScheduling
public class HousekeepingApplication {
    @Component
    static class Shelves {
        private int visits;

        synchronized int visit() {
            return ++visits;
        }

        @Scheduled(fixedDelay = 20, initialDelay = 5, timeUnit = TimeUnit.SECONDS)
        synchronized void tidy() throws InterruptedException {
            Thread.sleep(200);
        }
    }

    @RestController
    static class Page {
        private final Shelves shelves;
        private final RestClient catalogue = RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory(HttpClient.newHttpClient()))
                .baseUrl(System.getProperty("upstream", "http://127.0.0.1:9"))
                .build();

        Page(Shelves shelves) {
            this.shelves = shelves;
        }

        @GetMapping("/")
        String visit() {
            return "visit " + shelves.visit() + " of "
                    + catalogue.get().uri("/").retrieve().body(String.class).length();
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(HousekeepingApplication.class, arguments);
    }
}
