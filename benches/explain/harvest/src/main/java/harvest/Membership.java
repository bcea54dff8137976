package harvest;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Objects;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Asks the registry whether who calls is a member. */
public class Membership {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    @ConfigProperty(name = "quarkus.rest-client.cooperative.url")
    URI registry;

    @ConfigProperty(name = "membership.later", defaultValue = "false")
    boolean later;

    @Members
    @ServerRequestFilter
    public Uni<Response> check(ContainerRequestContext request) {
        var whose = Objects.requireNonNullElse(request.getHeaderString(HttpHeaders.AUTHORIZATION), "guest");
        var question = HttpRequest.newBuilder(registry.resolve("/members/" + whose.hashCode()))
                .build();
        var answer = later
                ? Uni.createFrom().completionStage(() -> http.sendAsync(question, BodyHandlers.ofString()))
                : Uni.createFrom().item(() -> ask(question));
        return answer.map(said -> said.statusCode() == 200
                ? null
                : Response.status(Response.Status.FORBIDDEN).build());
    }

    private HttpResponse<String> ask(HttpRequest question) {
        try {
            return http.send(question, BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
