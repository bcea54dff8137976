package hotel;

import feign.Feign;
import feign.RequestLine;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;

/** The nearest taxi, by Feign. */
@Path("/")
public final class Taxi {
    interface Rank {
        @RequestLine("GET /nearest")
        String nearest();
    }

    private final Rank rank = Feign.builder().target(Rank.class, Hotel.AGENCY.toString());

    private Taxi() {}

    @GET
    public String call() {
        return "taxi " + rank.nearest().length();
    }

    public static void main(String[] arguments) {
        Hotel.open(new Taxi());
    }
}
