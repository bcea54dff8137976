package clinic.scans;

import java.io.IOException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ScanController {
    private final String archive;

    ScanController(@Value("${upstream}") String archive) {
        this.archive = archive;
    }

    @GetMapping(value = "/scans/{scan}", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
    byte[] scan(@PathVariable String scan) throws IOException {
        try (var session = new ArchiveSession(archive)) {
            session.open("CLINIC");
            return session.retrieve(scan);
        }
    }
}
