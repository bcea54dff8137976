package plants;

import java.util.logging.Level;
import java.util.logging.Logger;

/** A line of java.util.logging for each request, to a console that somebody reads slowly. */
final class SlowConsole {
    private static final Logger LOG = Logger.getLogger("requests");

    public static void main(String[] arguments) throws Exception {
        var console = new java.util.logging.StreamHandler(System.out, new java.util.logging.SimpleFormatter()) {
            @Override
            public synchronized void publish(java.util.logging.LogRecord line) {
                super.publish(line);
                flush();
            }
        };
        LOG.setUseParentHandlers(false);
        LOG.addHandler(console);
        LOG.setLevel(Level.parse(System.getProperty("log", "INFO")));
        var padding = " with a header".repeat(40);
        Serve.undertow(Serve.ROOM, path -> {
            LOG.info(() -> "asked for " + path + padding);
            return "logged";
        });
    }
}
