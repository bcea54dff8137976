package depot;

import io.undertow.util.SameThreadExecutor;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** The state of overhead wires, asked for without a thread that waits: the control room itself is what is slow. */
public final class OverheadWires {
    public static void main(String[] arguments) {
        var client = HttpClient.newHttpClient();
        var question = HttpRequest.newBuilder(Depot.CONTROL).build();
        Depot.undertow(exchange -> exchange.dispatch(
                SameThreadExecutor.INSTANCE,
                () -> client.sendAsync(question, BodyHandlers.ofString()).whenComplete((answer, failure) -> {
                    if (failure != null) {
                        exchange.setStatusCode(503).endExchange();
                    } else {
                        exchange.getResponseSender()
                                .send("volts " + answer.body().length());
                    }
                })));
    }
}
