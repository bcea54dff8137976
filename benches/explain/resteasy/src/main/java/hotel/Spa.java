package hotel;

import io.undertow.server.handlers.RequestLimit;
import io.undertow.server.handlers.RequestLimitingHandler;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** The spa, which Undertow lets so many in at once; the others wait in its queue. */
@Path("/")
public final class Spa {
    private Spa() {}

    @GET
    public String bathe() {
        return "towels " + Hotel.ask().length();
    }

    public static void main(String[] arguments) {
        var places = new RequestLimit(Integer.getInteger("spa.places", 6), 1_000);
        Hotel.open(new Spa(), next -> new RequestLimitingHandler(places, next));
    }
}
