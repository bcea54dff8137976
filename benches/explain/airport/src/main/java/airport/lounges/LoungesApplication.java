package airport.lounges;

import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lounges, whose guest lists are fetched by {@code @Async} on virtual threads, of which few may run at once. */
@SpringBootApplication
@EnableAsync
@RestController
public class LoungesApplication {
    private final GuestLists lists;

    LoungesApplication(GuestLists lists) {
        this.lists = lists;
    }

    @GetMapping("/")
    CompletableFuture<String> guests() {
        return lists.fetch();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(LoungesApplication.class, arguments);
    }
}
