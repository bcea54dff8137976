package cinema.reviews;

import io.javalin.Javalin;
import io.javalin.http.Context;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** Reviews of films, by visitors. */
public final class Reviews {
    private final Map<String, List<String>> reviews = new ConcurrentHashMap<>();

    private void reviews(Context context) {
        var film = context.pathParam("film");
        var found = reviews.computeIfAbsent(
                film, name -> List.of(name + " is too long", "the popcorn was good", "see " + name + " twice"));
        context.contentType("application/json")
                .result(found.stream().map(review -> '"' + review + '"').collect(Collectors.joining(", ", "[", "]")));
    }

    public static void main(String[] arguments) {
        Javalin.create(config -> {
                    config.showJavalinBanner = false;
                    if (!"production".equals(System.getProperty("reviews.environment"))) {
                        config.bundledPlugins.enableDevLogging();
                    }
                })
                .get("/films/{film}/reviews", new Reviews()::reviews)
                .start("127.0.0.1", Integer.getInteger("server.port", 8080));
    }
}
