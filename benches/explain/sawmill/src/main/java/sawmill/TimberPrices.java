package sawmill;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.apache.http.client.methods.HttpGet;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/** Prices of timber, by Tomcat's threads and HttpClient 4; limited by its two connections to a host, its default. */
final class TimberPrices extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final CloseableHttpClient CLIENT = HttpClients.custom()
            .setMaxConnPerRoute(Integer.getInteger("prices.per-route", 0))
            .build();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        try (var answer = CLIENT.execute(new HttpGet(Sawmill.EXCHANGE))) {
            var price = EntityUtils.toString(answer.getEntity());
            response.getWriter().println("spruce at " + price.length());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Sawmill.tomcat(new TimberPrices());
    }
}
