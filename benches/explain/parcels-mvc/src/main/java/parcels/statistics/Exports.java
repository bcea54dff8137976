package parcels.statistics;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.stereotype.Component;

/** Writes what was to the tape, one file for each day and one at a time. */
@Component
class Exports {
    private final Semaphore tape = new Semaphore(1);

    @Async("exportExecutor")
    public CompletableFuture<Integer> export(int day) {
        tape.acquireUninterruptibly();
        try {
            Thread.sleep(150);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            tape.release();
        }
        return CompletableFuture.completedFuture(day);
    }
}

@Configuration
class ExportConfiguration {
    @Bean
    Executor exportExecutor() {
        var executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(6);
        executor.setThreadNamePrefix("export-");
        executor.setDaemon(true);
        return executor;
    }
}

@Component
class ExportOfYears {
    private final Exports exports;

    ExportOfYears(Exports exports) {
        this.exports = exports;
    }

    @EventListener(ApplicationReadyEvent.class)
    void start() {
        for (var day = 0; day < 3650; day++) {
            exports.export(day);
        }
    }
}
