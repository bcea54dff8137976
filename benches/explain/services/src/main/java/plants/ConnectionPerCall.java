package plants;

import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;

/** The JDK's oldest client: it resolves the name for each connection that it makes. */
final class ConnectionPerCall {
    public static void main(String[] arguments) throws Exception {
        Serve.tomcat(path -> {
            var call = (HttpURLConnection) Upstream.URL.toURL().openConnection();
            try (var body = call.getInputStream()) {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
            }
        });
    }
}
