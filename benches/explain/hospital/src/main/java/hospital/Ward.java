package hospital;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** A resource whose answer comes later, without a thread that waits for it. */
abstract class Ward extends HttpServlet {
    private static final long serialVersionUID = 1;
    static final URI PARTNER = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** The answer to a request for the last part of its path. */
    abstract CompletionStage<String> answer(String name);

    /** Asks the hospital's partner, whichever it is. */
    static CompletableFuture<String> ask(String path) {
        var request = HttpRequest.newBuilder(PARTNER.resolve(path)).build();
        return HTTP.sendAsync(request, BodyHandlers.ofString()).thenApply(HttpResponse::body);
    }

    /** Sends a document to the hospital's partner, and waits: the form in which older libraries do it. */
    static String send(String path, String document) {
        var request = HttpRequest.newBuilder(PARTNER.resolve(path))
                .POST(BodyPublishers.ofString(document))
                .build();
        try {
            return HTTP.send(request, BodyHandlers.ofString()).body();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        var later = request.startAsync();
        later.setTimeout(60_000);
        var path = request.getRequestURI();
        answer(path.substring(path.lastIndexOf('/') + 1)).whenComplete((text, failure) -> {
            try {
                finish(response, text, failure);
            } catch (IOException e) {
                log("the client has gone", e);
            } finally {
                later.complete();
            }
        });
    }

    private void finish(HttpServletResponse response, String text, Throwable failure) throws IOException {
        if (failure != null) {
            log("no answer", failure);
            response.sendError(503);
            return;
        }
        response.setContentType("text/plain;charset=utf-8");
        response.getWriter().write(text);
    }
}
