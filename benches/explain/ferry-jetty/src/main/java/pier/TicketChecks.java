package pier;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.eclipse.jetty.client.HttpClient;

/** Tickets at the turnstile: the sales partner says whether one is valid, and for which sailing. */
public final class TicketChecks {
    private final HttpClient sales;

    private TicketChecks(HttpClient sales) {
        this.sales = sales;
    }

    private CompletionStage<?> check(String path) {
        var ticket = path.substring(path.lastIndexOf('/') + 1);
        return Terminal.ask(sales, "/tickets/" + ticket)
                .thenCombine(Terminal.ask(sales, "/blocked/" + ticket), (found, blocked) -> Map.of(
                        "ticket", ticket, "valid", !found.isEmpty(), "notes", blocked.length()));
    }

    public static void main(String[] arguments) throws Exception {
        var sales = Terminal.client(Integer.getInteger("sales.connections", 6));
        Terminal.open(new TicketChecks(sales)::check);
    }
}
