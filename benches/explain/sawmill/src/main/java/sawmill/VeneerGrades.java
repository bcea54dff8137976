package sawmill;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;

/** Grades of veneer, an asynchronous servlet on Tomcat; limited by the common pool, whose threads wait for answers. */
final class VeneerGrades extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
        var later = request.startAsync();
        CompletableFuture.supplyAsync(() -> Sawmill.ask("/veneers/" + request.getRemotePort()))
                .thenApply(answer -> answer.length() % 5)
                .thenAccept(grade -> write(later, "grade " + grade))
                .whenComplete((done, failure) -> later.complete());
    }

    private static void write(AsyncContext later, String text) {
        try {
            later.getResponse().getWriter().println(text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Sawmill.tomcat(new VeneerGrades());
    }
}
