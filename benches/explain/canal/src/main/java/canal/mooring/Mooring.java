package canal.mooring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** Fees for a night at a mooring: the harbour master's office is asked apart from the threads of Jetty. */
public final class Mooring extends Handler.Abstract.NonBlocking {
    private final ForkJoinPool tariffs = new ForkJoinPool(Integer.getInteger("mooring.parallelism", 5));
    private final HarbourMaster master = new HarbourMaster();

    @Override
    public boolean handle(Request request, Response response, Callback done) {
        var ship = Request.getPathInContext(request);
        CompletableFuture.supplyAsync(() -> master.tariffOf(ship), tariffs)
                .thenApply(cents -> "{\"ship\": \"" + ship + "\", \"cents\": " + cents + "}")
                .whenComplete((fee, fault) -> answer(request, response, done, fee, fault));
        return true;
    }

    private static void answer(Request request, Response response, Callback done, String fee, Throwable fault) {
        if (fault == null) {
            Content.Sink.write(response, true, fee, done);
        } else {
            Response.writeError(request, response, done, fault);
        }
    }

    public static void main(String[] arguments) throws Exception {
        var server = new Server();
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.getInteger("server.port", 8080));
        server.addConnector(connector);
        server.setHandler(new Mooring());
        server.start();
    }
}
