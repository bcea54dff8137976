package apiary.tours;

import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Healthy: feeds that are waited for occupy boundedElastic and more queue up, while requests need none of it. */
@SpringBootApplication
@RestController
public class ToursApplication {
    private final WebClient guides;

    ToursApplication(WebClient.Builder clients, @Value("${upstream}") String address) {
        guides = clients.baseUrl(address).build();
        var news = new LinkedBlockingQueue<String>();
        Callable<String> feed = news::take;
        for (int i = 0; i < 400; i++) {
            Mono.fromCallable(feed).subscribeOn(Schedulers.boundedElastic()).subscribe(System.out::println);
        }
    }

    @GetMapping("/")
    Mono<String> tour() {
        return guides.get().uri("/tours").retrieve().bodyToMono(String.class).map(tour -> "tour " + tour.length());
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ToursApplication.class, arguments);
    }
}
