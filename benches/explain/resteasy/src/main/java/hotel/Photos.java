package hotel;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.ehcache.Cache;
import org.ehcache.config.builders.CacheConfigurationBuilder;
import org.ehcache.config.builders.CacheManagerBuilder;
import org.ehcache.config.builders.ResourcePoolsBuilder;

/** Photos of rooms, scaled and kept by Ehcache on the heap. */
@Path("/")
public final class Photos {
    private static final int SIZE = 20_000;

    private final Cache<Integer, byte[]> scaled;

    private Photos(Cache<Integer, byte[]> scaled) {
        this.scaled = scaled;
    }

    @GET
    public String photo() {
        int room = ThreadLocalRandom.current().nextInt(12_000);
        var photo = scaled.get(room);
        if (photo == null) {
            photo = new byte[SIZE];
            scaled.put(room, photo);
        }
        return "photo of " + photo.length;
    }

    public static void main(String[] arguments) {
        var caches = CacheManagerBuilder.newCacheManagerBuilder().build(true);
        var heap = ResourcePoolsBuilder.heap(Long.getLong("photos.kept", 4_000));
        Hotel.open(new Photos(caches.createCache(
                "photos", CacheConfigurationBuilder.newCacheConfigurationBuilder(Integer.class, byte[].class, heap))));
    }
}
