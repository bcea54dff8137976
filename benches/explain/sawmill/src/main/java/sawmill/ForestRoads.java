package sawmill;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.DefaultConnectionReuseStrategy;
import org.apache.http.impl.NoConnectionReuseStrategy;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/** Roads in the forest, on Jetty; limited by the local ports, as HttpClient 4 opens a connection for each call. */
final class ForestRoads extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final CloseableHttpClient CLIENT = HttpClients.custom()
            .setMaxConnTotal(100)
            .setMaxConnPerRoute(100)
            .setConnectionReuseStrategy(
                    Boolean.getBoolean("roads.reuse-connections")
                            ? DefaultConnectionReuseStrategy.INSTANCE
                            : NoConnectionReuseStrategy.INSTANCE)
            .build();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (var answer = CLIENT.execute(new HttpGet(Sawmill.EXCHANGE))) {
            var roads = EntityUtils.toString(answer.getEntity());
            response.getWriter().println("roads open: " + roads.length());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Sawmill.jetty(new ForestRoads());
    }
}
