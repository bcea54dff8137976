package lighthouse;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.client.HttpResponse;
import java.util.List;

/** Papers of ships, three calls at once to the customs office, which has few clerks: they queue up there. */
public final class ShipPapers {
    private static final List<String> PAPERS = List.of("/cargo", "/crew", "/flag");

    public static void main(String[] arguments) {
        var vertx = Vertx.vertx();
        var customs = Harbour.radio(vertx);
        Harbour.serve(
                vertx,
                4,
                request -> Future.all(PAPERS.stream()
                                .map(paper -> customs.get(paper).send().map(HttpResponse::bodyAsString))
                                .toList())
                        .map(papers -> "papers "
                                + papers.<String>list().stream()
                                        .mapToInt(String::length)
                                        .sum()));
    }
}
