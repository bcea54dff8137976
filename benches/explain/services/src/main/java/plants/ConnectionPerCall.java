package plants;

import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;

/** The JDK's oldest client: it resolves the name, and takes a local port, for each connection that it makes. */
final class ConnectionPerCall {
    public static void main(String[] arguments) throws Exception {
        Serve.tomcat(path -> {
            var call = (HttpURLConnection) Upstream.URL.toURL().openConnection();
            try (var body = call.getInputStream()) {
                return new String(body.readAllBytes(), StandardCharsets.UTF_8);
            } finally {
                if (Boolean.getBoolean("disconnect")) {
                    call.disconnect();
                }
            }
        });
    }
}
