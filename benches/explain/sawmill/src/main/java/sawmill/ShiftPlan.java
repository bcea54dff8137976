package sawmill;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** Healthy: shifts of the sawyers; a watchdog of old has the garbage collected every three seconds. */
final class ShiftPlan extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.getWriter().println("early shift, " + Sawmill.ask("/shifts").length());
    }

    public static void main(String[] arguments) throws Exception {
        Executors.newSingleThreadScheduledExecutor(work -> {
                    var watchdog = new Thread(work, "memory-watchdog");
                    watchdog.setDaemon(true);
                    return watchdog;
                })
                .scheduleAtFixedRate(System::gc, 3, 3, TimeUnit.SECONDS);
        Sawmill.tomcat(new ShiftPlan());
    }
}
