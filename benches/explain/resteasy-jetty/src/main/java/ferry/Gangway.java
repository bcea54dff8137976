package ferry;

import jakarta.servlet.DispatcherType;
import java.util.EnumSet;
import org.eclipse.jetty.ee10.servlet.FilterHolder;
import org.eclipse.jetty.ee10.servlets.DoSFilter;

/** Boarding passes, behind Jetty's filter against floods: all come by one proxy, so that it sees one client. */
public final class Gangway {
    public static void main(String[] arguments) throws Exception {
        var filter = new FilterHolder(new DoSFilter());
        filter.setAsyncSupported(true);
        filter.setInitParameter("maxRequestsPerSec", System.getProperty("gangway.per-second", "25"));
        filter.setInitParameter("delayMs", "500");
        filter.setInitParameter("throttledRequests", "100");
        Ferry.open(
                context -> {
                    context.addFilter(filter, "/*", EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
                    return context;
                },
                () -> "aboard");
    }
}
