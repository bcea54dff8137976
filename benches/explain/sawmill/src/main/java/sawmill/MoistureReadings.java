package sawmill;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.http.client.methods.HttpPost;
import org.apache.http.entity.StringEntity;
import org.apache.http.impl.client.CloseableHttpClient;
import org.apache.http.impl.client.HttpClients;
import org.apache.http.util.EntityUtils;

/** Moisture of boards, by HttpClient 4; limited by the console, as the client logs each byte it sends and gets. */
final class MoistureReadings extends HttpServlet {
    private static final long serialVersionUID = 1;
    private static final CloseableHttpClient CLIENT =
            HttpClients.custom().setMaxConnPerRoute(100).setMaxConnTotal(200).build();

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        var reading = new HttpPost(Sawmill.EXCHANGE);
        reading.setEntity(new StringEntity("board=4711&kiln=3&percent=12.5", StandardCharsets.UTF_8));
        try (var answer = CLIENT.execute(reading)) {
            response.getWriter()
                    .println("noted " + EntityUtils.toString(answer.getEntity()).length());
        }
    }

    public static void main(String[] arguments) throws Exception {
        Sawmill.tomcat(new MoistureReadings());
    }
}
