package parcels.photos;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** The archive's library, which blocks. */
@Component
class PhotoArchive {
    private final RestClient archive;

    PhotoArchive(RestClient.Builder clients, @Value("${upstream}") String archive) {
        var http = new JdkClientHttpRequestFactory();
        http.setReadTimeout(Duration.ofSeconds(5));
        this.archive = clients.baseUrl(archive).requestFactory(http).build();
    }

    byte[] photo(int parcel) {
        return archive.get().uri("/photos/{parcel}", parcel).retrieve().body(byte[].class);
    }
}

@RestController
class PhotoController {
    private final PhotoArchive archive;

    PhotoController(PhotoArchive archive) {
        this.archive = archive;
    }

    @GetMapping("/photos/{parcel}")
    Mono<byte[]> photo(@PathVariable int parcel) {
        return Mono.fromCallable(() -> archive.photo(parcel))
                .subscribeOn(Schedulers.boundedElastic())
                .timeout(Duration.ofSeconds(10));
    }
}
