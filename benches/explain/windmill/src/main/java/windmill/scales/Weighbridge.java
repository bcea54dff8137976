package windmill.scales;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@Component
class Weighbridge {
    private final URI address;

    Weighbridge(@Value("${upstream}") URI address) {
        this.address = address;
    }

    int weigh() {
        try (var answer = address.resolve("/weight").toURL().openStream()) {
            return new String(answer.readAllBytes(), StandardCharsets.US_ASCII).length();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

@RestController
class CartController {
    private final Weighbridge bridge;

    CartController(Weighbridge bridge) {
        this.bridge = bridge;
    }

    @GetMapping("/")
    Mono<String> weigh() {
        var full = Mono.fromFuture(() -> CompletableFuture.supplyAsync(bridge::weigh));
        return full.map(weight -> "grain of " + (weight - 20) + " hundredweights");
    }
}
