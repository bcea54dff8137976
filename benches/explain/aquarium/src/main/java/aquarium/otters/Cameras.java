package aquarium.otters;

import java.util.concurrent.ThreadLocalRandom;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.stereotype.Component;

/** Looks for movement in what two cameras have recorded, clip by clip, on the application's executor. */
@Component
class Cameras {
    private static final int PIXELS = 640 * 480;
    private static final int FRAMES = 30;

    private final AsyncTaskExecutor executor;
    private volatile double lastMovement;

    Cameras(AsyncTaskExecutor executor) {
        this.executor = executor;
    }

    @EventListener(ApplicationReadyEvent.class)
    void watch() {
        executor.execute(this::goThroughClips);
        executor.execute(this::goThroughClips);
    }

    private void goThroughClips() {
        var before = ThreadLocalRandom.current().ints(PIXELS, 0, 256).toArray();
        var after = ThreadLocalRandom.current().ints(PIXELS, 0, 256).toArray();
        try {
            while (true) {
                double movement = 0;
                for (int frame = 0; frame < FRAMES; frame++) {
                    movement += movement(before, after, frame % 7);
                }
                lastMovement = movement;
                Thread.sleep(10);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static double movement(int[] before, int[] after, int shift) {
        double sum = 0;
        for (int pixel = shift; pixel < PIXELS; pixel++) {
            double difference = before[pixel - shift] - after[pixel];
            sum += Math.sqrt(difference * difference + 1);
        }
        return sum;
    }

    double lastMovement() {
        return lastMovement;
    }
}
