package hospital;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;

/** Reports on X-rays: read from the image store, then handed to the archive as its vendor's library does it. */
public final class XrayReports extends Ward {
    private static final long serialVersionUID = 1;

    @Override
    CompletionStage<String> answer(String image) {
        return ask("/images/" + image)
                .thenApply(findings -> "No fracture in " + image + ", " + findings.length() + " views.")
                .thenApplyAsync(report -> report + " Archived with " + archive(report));
    }

    private static int archive(String report) {
        try {
            var connection =
                    (HttpURLConnection) PARTNER.resolve("/archive").toURL().openConnection();
            connection.setDoOutput(true);
            connection.getOutputStream().write(report.getBytes(StandardCharsets.UTF_8));
            try (var answer = connection.getInputStream()) {
                return answer.readAllBytes().length;
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Reception.openJetty(new XrayReports());
    }
}
