package harvest;

import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.rest.client.inject.RestClient;

/** Contents of the crates of a trailer. */
@Path("/crates")
public class Crates {
    private final Cooperative cooperative;

    @ConfigProperty(name = "crates.as-list", defaultValue = "false")
    boolean asList;

    Crates(@RestClient Cooperative cooperative) {
        this.cooperative = cooperative;
    }

    @GET
    public Uni<String> trailer() {
        int first = ThreadLocalRandom.current().nextInt(1_000);
        var crates = IntStream.range(first, first + 14).boxed().toList();
        return contents(crates).map(apples -> "apples " + apples);
    }

    private Uni<Integer> contents(List<Integer> crates) {
        if (asList) {
            return cooperative.crates(crates).map(String::length);
        }
        return Multi.createFrom()
                .iterable(crates)
                .onItem()
                .transformToUniAndConcatenate(cooperative::crate)
                .collect()
                .with(Collectors.summingInt(String::length));
    }
}
