package dairy.herd;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestTemplate;

/** Reports of a herd, by parallel streams in a pool of their own; limited by the few threads of that pool. */
@SpringBootApplication
@RestController
public class HerdApplication {
    private final RestTemplate collars = new RestTemplate();
    private final ForkJoinPool pool;
    private final String address;

    HerdApplication(@Value("${upstream}") String address, @Value("${herd.parallelism:4}") int parallelism) {
        this.address = address;
        pool = new ForkJoinPool(
                parallelism,
                own -> {
                    var thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(own);
                    thread.setName("herd-" + thread.getPoolIndex());
                    return thread;
                },
                null,
                false);
    }

    @GetMapping("/")
    String report() throws ExecutionException, InterruptedException {
        var cows = IntStream.range(0, 3).boxed().toList();
        int steps = pool.submit(
                        () -> cows.parallelStream().mapToInt(this::steps).sum())
                .get();
        return "steps " + steps;
    }

    private int steps(int cow) {
        return collars.getForObject(address + "?cow=" + cow, String.class).length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(HerdApplication.class, arguments);
    }
}
