package tickets;

import io.vertx.core.buffer.Buffer;
import io.vertx.ext.web.client.HttpResponse;

/** The plan of seats from another service, by Vert.x's WebClient with its default of five connections. */
public final class SeatMap {
    public static void main(String[] arguments) {
        var vertx = Box.vertx();
        var client = Box.client(vertx, Integer.getInteger("seats.connections", 5));
        Box.serve(
                vertx,
                router -> router.get("/")
                        .handler(context -> Box.answer(
                                context,
                                client.get("/seats")
                                        .send()
                                        .map(HttpResponse::bodyAsBuffer)
                                        .map(Buffer::length)
                                        .map(length -> "seats " + length))));
    }
}
