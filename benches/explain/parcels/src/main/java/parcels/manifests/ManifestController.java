package parcels.manifests;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.reactor.bulkhead.operator.BulkheadOperator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPOutputStream;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@RestController
class ManifestController {
    private final Bulkhead bulkhead = Bulkhead.of(
            "manifests", BulkheadConfig.custom().maxConcurrentCalls(250).build());

    @GetMapping("/vans/{van}/manifest")
    Mono<ResponseEntity<byte[]>> manifest(@PathVariable int van) {
        return Mono.fromCallable(() -> packed(lines(van)))
                .subscribeOn(Schedulers.parallel())
                .transformDeferred(BulkheadOperator.of(bulkhead))
                .map(file ->
                        ResponseEntity.ok().header(HttpHeaders.ETAG, seal(file)).body(file));
    }

    private static byte[] packed(String text) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return bytes.toByteArray();
    }

    private static String lines(int van) {
        var lines = new StringBuilder();
        for (var parcel = 0; parcel < 1500; parcel++) {
            var number = van * 10_000L + parcel;
            lines.append(number).append(';').append(number * 7919 % 1013).append(" g;");
            lines.append(number % 97 == 0 ? "fragile" : "").append('\n');
        }
        return lines.toString();
    }

    private static String seal(byte[] file) {
        try {
            return '"'
                    + HexFormat.of()
                            .formatHex(MessageDigest.getInstance("SHA-256").digest(file))
                    + '"';
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
