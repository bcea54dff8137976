package sawmill;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.sql.SQLException;

/** Felling permits, a servlet on Jetty; limited by the monitor of the register, which has one connection for all. */
final class FellingPermits extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final PermitRegister REGISTER = new PermitRegister();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try {
            response.getWriter().println("permits: " + REGISTER.permits(request.getRemotePort()));
        } catch (SQLException e) {
            throw new IOException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Sawmill.jetty(new FellingPermits());
    }
}
