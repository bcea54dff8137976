package plants;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.FileAppender;
import org.slf4j.LoggerFactory;

/** Healthy: ten lines of log for each request, written to a file by another thread. */
final class ChattyAsync {
    public static void main(String[] arguments) throws Exception {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d %msg%n");
        encoder.start();
        var file = new FileAppender<ILoggingEvent>();
        file.setContext(context);
        file.setEncoder(encoder);
        file.setFile("/dev/null");
        file.start();
        var async = new AsyncAppender();
        async.setContext(context);
        async.addAppender(file);
        async.start();
        var log = context.getLogger("requests");
        log.setLevel(Level.INFO);
        log.setAdditive(false);
        log.addAppender(async);
        Serve.jetty(path -> {
            for (int i = 0; i < 10; i++) {
                log.info("step {} of {}", i, path);
            }
            return Upstream.call();
        });
    }
}
