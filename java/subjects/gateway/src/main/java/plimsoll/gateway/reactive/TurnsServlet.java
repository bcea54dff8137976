package plimsoll.gateway.reactive;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.TomcatHttpHandlerAdapter;

/**
 * WebFlux within Tomcat by non-blocking I/O, where threads read a request's body in turns.
 *
 * <p>Left to themselves, two of them meet: one found nothing to read, and is not yet marked as waiting when Tomcat's thread brings
 * word that there is something. Spring (7.0.9) takes the body for one that is being read and drops that word, and the body stands
 * still for ever; seen with one of fifteen bodies of 50 MB.
 */
final class TurnsServlet extends TomcatHttpHandlerAdapter {

    TurnsServlet(HttpHandler handler) {
        super((request, response) -> handler.handle(new TurnsServerRequest(request), response));
    }

    @Override
    public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        super.service(new TurnsServletRequest((HttpServletRequest) request), response);
    }
}
