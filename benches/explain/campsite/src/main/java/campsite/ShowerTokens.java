package campsite;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Tokens for showers, a line for each as soon as it is known; limited by Nagle's algorithm and delayed ACKs. */
final class ShowerTokens extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        var lines = response.getWriter();
        for (int shower = 1; shower <= 3; shower++) {
            lines.println("shower " + shower + ": token " + System.nanoTime() % 10_000);
            lines.flush();
        }
    }

    public static void main(String[] arguments) throws Exception {
        Pages.serve(new ShowerTokens(), null, Boolean.getBoolean("showers.no-delay"));
    }
}
