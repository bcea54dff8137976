package parcels.lockers;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RestController;

@RestController
class LockerController {
    private final HttpClient http = HttpClient.newHttpClient();
    private final URI lockers;

    LockerController(@Value("${upstream}") URI lockers) {
        this.lockers = lockers;
    }

    @GetMapping("/lockers/{locker}/code")
    CompletableFuture<String> code(@PathVariable int locker, @RequestAttribute String partner) {
        var request =
                HttpRequest.newBuilder(lockers.resolve("/lockers/" + locker)).build();
        return http.sendAsync(request, BodyHandlers.ofString())
                .thenApply(response -> "%06d".formatted(response.body().length() * 31L * partner.length()));
    }
}
