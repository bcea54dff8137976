package plants;

import java.lang.invoke.MethodHandles;
import java.util.concurrent.Executors;

/** A report, loaded anew for each request, that asks the upstream in its class initialiser: a native frame, which pins. */
final class PinnedInitialiser {
    public static void main(String[] arguments) throws Exception {
        byte[] report;
        try (var in = PinnedInitialiser.class.getResourceAsStream("PinnedInitialiser$Report.class")) {
            report = in.readAllBytes();
        }
        Serve.jdk(Executors.newVirtualThreadPerTaskExecutor(), path -> {
            var loaded = MethodHandles.lookup().defineHiddenClass(report, true).lookupClass();
            return "loaded " + loaded.isHidden();
        });
    }

    static final class Report {
        static final String BODY;

        static {
            try {
                BODY = Upstream.call();
            } catch (Exception e) {
                throw new ExceptionInInitializerError(e);
            }
        }

        private Report() {}
    }
}
