package hotel;

import io.undertow.Undertow;
import io.undertow.server.HandlerWrapper;
import jakarta.ws.rs.core.Application;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.jboss.resteasy.core.ResteasyDeploymentImpl;
import org.jboss.resteasy.plugins.server.undertow.UndertowJaxrsServer;

/** The hotel's server, RESTEasy on Undertow with room for more guests than come, and the agency that it asks. */
final class Hotel {
    static final URI AGENCY = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));

    private Hotel() {}

    static void open(Object resource) {
        open(resource, next -> next);
    }

    static void open(Object resource, HandlerWrapper door) {
        var server = new UndertowJaxrsServer();
        var resources = new ResteasyDeploymentImpl();
        resources.setApplication(new Application() {
            @Override
            public Set<Object> getSingletons() {
                return Set.of(resource);
            }
        });
        var deployment = server.undertowDeployment(resources, "/")
                .setContextPath("/")
                .setDeploymentName("hotel")
                .setClassLoader(Hotel.class.getClassLoader())
                .addInitialHandlerChainWrapper(door);
        server.deploy(deployment);
        server.start(Undertow.builder()
                .addHttpListener(Integer.getInteger("server.port", 8080), "127.0.0.1")
                .setWorkerThreads(200));
    }

    static String ask() {
        try (var body = AGENCY.toURL().openStream()) {
            return new String(body.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
