package depot;

import java.io.IOException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.ThreadLimitHandler;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Sales of ticket machines, all from one address, which Jetty's ThreadLimitHandler lets have few threads at once. */
public final class TicketMachines {
    public static void main(String[] arguments) throws Exception {
        var server = new Server(new QueuedThreadPool(200));
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Depot.PORT);
        server.addConnector(connector);
        var limit = new ThreadLimitHandler();
        limit.setThreadLimit(Integer.getInteger("machines.threads", 5));
        limit.setHandler(new Sale());
        server.setHandler(limit);
        server.start();
    }

    private static final class Sale extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) throws IOException {
            Content.Sink.write(response, true, "sold " + Depot.askControl().length(), callback);
            return true;
        }
    }
}
