package harvest;

import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.inject.Singleton;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Bookings of combines, on virtual threads. */
@Path("/combines")
@RunOnVirtualThread
public class Combines {
    private final Diary diary;

    Combines(Diary diary) {
        this.diary = diary;
    }

    @GET
    public String book() {
        return diary.book(ThreadLocalRandom.current().nextInt(10_000));
    }

    /** Places of the combines; a page of it is closed to others while the cooperative confirms. */
    @Singleton
    public static class Diary {
        private final Cooperative cooperative;
        private final ReentrantLock[] pages;

        Diary(
                @RestClient Cooperative cooperative,
                @ConfigProperty(name = "diary.pages", defaultValue = "1") int pages) {
            this.cooperative = cooperative;
            this.pages = IntStream.range(0, pages)
                    .mapToObj(page -> new ReentrantLock())
                    .toArray(ReentrantLock[]::new);
        }

        String book(int field) {
            var page = pages[field % pages.length];
            page.lock();
            try {
                return "field " + field + ": " + cooperative.combine(field % 12).length();
            } finally {
                page.unlock();
            }
        }
    }
}
