package cinema.showtimes;

import io.vertx.ext.web.RoutingContext;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;

/** The club's service for members, by the client that the club hands out. */
class Members {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI club;

    Members(String club) {
        this.club = URI.create(club);
    }

    void recognise(RoutingContext context) {
        try {
            context.put("member", isMember(context.request().getHeader("X-Card")));
            context.next();
        } catch (IOException e) {
            context.fail(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            context.fail(e);
        }
    }

    private boolean isMember(String card) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(club.resolve("/cards/" + card)).build();
        return client.send(request, BodyHandlers.ofString()).body().length() > 50;
    }
}
