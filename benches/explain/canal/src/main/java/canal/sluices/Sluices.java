package canal.sluices;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;

/** How wide a sluice is open, asked of its motor without a thread that waits. */
public final class Sluices extends Handler.Abstract.NonBlocking {
    private static final URI MOTORS = URI.create(System.getProperty("upstream"));

    private final HttpClient motors = HttpClient.newHttpClient();

    @Override
    public boolean handle(Request request, Response response, Callback done) {
        var motor = HttpRequest.newBuilder(MOTORS.resolve(Request.getPathInContext(request)))
                .build();
        motors.sendAsync(motor, BodyHandlers.ofString())
                .thenApply(answer -> "open by " + answer.body().length() % 100 + " %")
                .whenComplete((opening, fault) -> {
                    if (fault == null) {
                        Content.Sink.write(response, true, opening, done);
                    } else {
                        Response.writeError(request, response, done, fault);
                    }
                });
        return true;
    }

    public static void main(String[] arguments) throws Exception {
        var server = new Server();
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Integer.getInteger("server.port", 8080));
        server.addConnector(connector);
        server.setHandler(new Sluices());
        server.start();
        new Maintenance().begin();
    }
}
