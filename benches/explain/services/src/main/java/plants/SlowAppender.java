package plants;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.LoggerFactory;

/** A line of log for each request, and an appender that ships it with the caller's thread. */
final class SlowAppender {
    private static final class Shipping extends AppenderBase<ILoggingEvent> {
        private long shipped;

        @Override
        protected void append(ILoggingEvent event) {
            LockSupport.parkNanos(3_000_000);
            shipped += event.getFormattedMessage().length();
        }
    }

    public static void main(String[] arguments) throws Exception {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        var shipping = new Shipping();
        shipping.setContext(context);
        shipping.start();
        var log = context.getLogger("requests");
        log.setLevel(Level.INFO);
        log.setAdditive(false);
        if (Boolean.getBoolean("async")) {
            var async = new AsyncAppender();
            async.setContext(context);
            async.setNeverBlock(true);
            async.addAppender(shipping);
            async.start();
            log.addAppender(async);
        } else {
            log.addAppender(shipping);
        }
        Serve.tomcat(path -> {
            log.info("asked for {}", path);
            return "logged";
        });
    }
}
