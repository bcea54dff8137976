package journal;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import java.util.UUID;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import support.Backend;
import support.Pages;

/** Logs each request asynchronously, by an appender that waits when its queue is full: it is always full. */
public final class FullQueue {
    private static final class Journal extends Handler.Wrapper {
        private final Logger log = LoggerFactory.getLogger("journal.requests");

        Journal(Handler next) {
            super(next);
        }

        @Override
        public boolean handle(Request request, Response response, Callback callback) throws Exception {
            log.info(
                    "request {} {} {} headers {}",
                    UUID.randomUUID(),
                    request.getMethod(),
                    request,
                    request.getHeaders());
            return super.handle(request, response, callback);
        }
    }

    public static void main(String[] arguments) throws Exception {
        logAsynchronously();
        var server = new Server(new QueuedThreadPool(300));
        var connector = new ServerConnector(server);
        connector.setPort(Backend.PORT);
        server.addConnector(connector);
        server.setHandler(new Journal(new Pages(() -> "page")));
        server.start();
    }

    private static void logAsynchronously() {
        var context = (LoggerContext) LoggerFactory.getILoggerFactory();
        context.reset();
        var encoder = new PatternLayoutEncoder();
        encoder.setContext(context);
        encoder.setPattern("%d %-5level [%thread] %logger{36} %msg%n");
        encoder.start();
        var console = new ConsoleAppender<ILoggingEvent>();
        console.setContext(context);
        console.setEncoder(encoder);
        console.start();
        var queue = new AsyncAppender();
        queue.setContext(context);
        queue.setQueueSize(64);
        queue.setDiscardingThreshold(0);
        queue.setNeverBlock(Boolean.getBoolean("journal.never-block"));
        queue.addAppender(console);
        queue.start();
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).setLevel(Level.INFO);
        context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME).addAppender(queue);
    }
}
