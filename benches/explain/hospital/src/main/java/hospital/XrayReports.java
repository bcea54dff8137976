package hospital;

import java.util.concurrent.CompletionStage;

/** Reports on X-rays: read from the image store, then handed to the archive by its vendor's library. */
public final class XrayReports extends Ward {
    private static final long serialVersionUID = 1;

    @Override
    CompletionStage<String> answer(String image) {
        return ask("/images/" + image)
                .thenApply(findings -> "No fracture in " + image + ", " + findings.length() + " views.")
                .thenApplyAsync(report -> report + " Archived as " + send("/archive", report).hashCode());
    }

    public static void main(String[] arguments) throws Exception {
        Reception.openJetty(new XrayReports());
    }
}
