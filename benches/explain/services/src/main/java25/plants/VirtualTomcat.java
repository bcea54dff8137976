package plants;

import java.util.concurrent.Executors;

/** Healthy: Tomcat with a virtual thread for each request. */
final class VirtualTomcat {
    public static void main(String[] arguments) throws Exception {
        Serve.tomcat(
                connector -> connector.getProtocolHandler().setExecutor(Executors.newVirtualThreadPerTaskExecutor()),
                path -> Upstream.call());
    }
}
