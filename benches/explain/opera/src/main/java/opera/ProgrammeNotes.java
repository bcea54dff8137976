package opera;

import io.vertx.core.http.HttpServerOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;

/** Notes on an evening's programme: the title goes out at once, and the text follows as soon as it is put together. */
public final class ProgrammeNotes extends House {
    @Override
    HttpServerOptions server() {
        return super.server().setTcpNoDelay(Boolean.getBoolean("notes.no-delay"));
    }

    @Override
    void routes(Router router) {
        router.get("/evenings/:evening/notes").handler(this::send);
    }

    private void send(RoutingContext context) {
        var response = context.response().setChunked(true).putHeader("content-type", "text/plain");
        response.write("Fidelio, " + context.pathParam("evening") + "\n");
        vertx.runOnContext(now -> response.end("Two acts. The overture in C is played before the last scene.\n"));
    }

    public static void main(String[] arguments) {
        open(ProgrammeNotes::new);
    }
}
