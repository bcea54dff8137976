package hotel;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.concurrent.ThreadLocalRandom;
import org.jboss.logmanager.LogContext;
import org.jboss.logmanager.Logger;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.logmanager.handlers.ConsoleHandler;

/** The porter, who writes down whom he lets in, by JBoss LogManager to the console. */
@Path("/")
public final class Porter {
    private final Logger log = Logger.getLogger("hotel.door");

    private Porter() {}

    @GET
    public String letIn() {
        int room = ThreadLocalRandom.current().nextInt(100);
        log.info("the guest of room " + room + " rang, was asked for the name, and was let in");
        return "good evening";
    }

    public static void main(String[] arguments) {
        System.setProperty("java.util.logging.manager", "org.jboss.logmanager.LogManager");
        var context = LogContext.getLogContext();
        var root = context.getLogger("");
        root.setLevel(context.getLevelForName(System.getProperty("porter.level", "INFO")));
        root.addHandler(new ConsoleHandler(new PatternFormatter("%d{HH:mm:ss,SSS} %-5p [%c] (%t) %s%e%n")));
        Hotel.open(new Porter());
    }
}
