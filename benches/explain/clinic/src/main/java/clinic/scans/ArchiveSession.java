package clinic.scans;

import java.io.IOException;
import java.net.URI;

/** A session with the archive, as the radiologists' library has it: for one scan, usable by several threads. */
class ArchiveSession implements AutoCloseable {
    private final URI archive;
    private String association;

    ArchiveSession(String archive) {
        this.archive = URI.create(archive);
    }

    synchronized void open(String title) throws IOException {
        association = "a" + get("/associations?title=" + title).length;
    }

    synchronized byte[] retrieve(String scan) throws IOException {
        if (association == null) {
            throw new IOException("the session is not open");
        }
        return get("/associations/" + association + "/scans/" + scan);
    }

    private byte[] get(String path) throws IOException {
        try (var body = archive.resolve(path).toURL().openStream()) {
            return body.readAllBytes();
        }
    }

    @Override
    public synchronized void close() {
        association = null;
    }
}
