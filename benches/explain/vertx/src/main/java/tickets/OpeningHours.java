package tickets;

/** Opening hours: as little as a service can do. */
public final class OpeningHours {
    public static void main(String[] arguments) {
        Box.serve(
                Box.vertx(),
                router -> router.get("/")
                        .handler(context -> context.response()
                                .putHeader("content-type", "text/plain")
                                .end("open from 10 to 18")));
    }
}
