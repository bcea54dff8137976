package foundry.moulds;

import java.util.Collections;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Repository;
import org.springframework.web.client.RestClient;

/** Drawings from the archive, of which the last ones stay here. */
@Repository
class Drawings {
    private static final int KEPT = 60;

    private final Map<Integer, String> kept = Collections.synchronizedMap(new LastUsed<>(KEPT));
    private final RestClient archive;
    private final boolean lookFirst;

    Drawings(
            RestClient.Builder clients,
            @Value("${upstream}") String archive,
            @Value("${drawings.look-first:false}") boolean lookFirst) {
        this.archive = clients.baseUrl(archive).build();
        this.lookFirst = lookFirst;
    }

    String drawing(int mould) {
        if (!lookFirst) {
            return kept.computeIfAbsent(mould, this::fetched);
        }
        var drawing = kept.get(mould);
        if (drawing == null) {
            drawing = fetched(mould);
            kept.put(mould, drawing);
        }
        return drawing;
    }

    private String fetched(int mould) {
        return archive.get().uri("/drawings/{mould}", mould).retrieve().body(String.class);
    }
}
