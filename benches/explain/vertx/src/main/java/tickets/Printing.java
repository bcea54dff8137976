package tickets;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** Tickets that worker threads print, of which there are few. */
public final class Printing {
    public static void main(String[] arguments) {
        var vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(4)
                .setWorkerPoolSize(Integer.getInteger("printing.printers", 4)));
        Box.serve(
                vertx,
                router -> router.get("/")
                        .handler(context -> Box.answer(context, vertx.executeBlocking(Printing::print, false))));
    }

    private static String print() throws IOException {
        try (var printer = Box.OFFICE.resolve("/print").toURL().openStream()) {
            return "printed " + new String(printer.readAllBytes(), StandardCharsets.UTF_8).length();
        }
    }
}
