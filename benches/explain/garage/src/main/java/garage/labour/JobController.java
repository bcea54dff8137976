package garage.labour;

import java.util.concurrent.CompletableFuture;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class JobController {
    private final Maker maker;
    private final AsyncTaskExecutor tasks;

    JobController(Maker maker, AsyncTaskExecutor tasks) {
        this.maker = maker;
        this.tasks = tasks;
    }

    @GetMapping("/jobs/{job}")
    Job job(@PathVariable String job) {
        CompletableFuture<Integer> parts = tasks.submitCompletable(() -> maker.parts(job));
        int minutes = maker.minutes(job);
        return new Job(job, minutes, parts.join());
    }

    record Job(String name, int minutes, int parts) {}
}
