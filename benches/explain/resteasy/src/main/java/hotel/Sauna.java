package hotel;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.concurrent.TimeUnit;
import org.apache.commons.lang3.concurrent.TimedSemaphore;

/** The sauna, which a semaphore of Commons Lang lets so many into in a tenth of a second. */
@Path("/")
public final class Sauna {
    private final TimedSemaphore door =
            new TimedSemaphore(100, TimeUnit.MILLISECONDS, Integer.getInteger("sauna.guests", 15));

    private Sauna() {}

    @GET
    public String enter() throws InterruptedException {
        door.acquire();
        return "a towel";
    }

    public static void main(String[] arguments) {
        Hotel.open(new Sauna());
    }
}
