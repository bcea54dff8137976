package plants;

/** Tomcat that keeps ten connections, and leaves the others in the kernel's queue. */
final class TomcatConnections {
    public static void main(String[] arguments) throws Exception {
        Serve.tomcat(
                connector -> {
                    connector.setProperty("maxThreads", "" + Serve.ROOM);
                    connector.setProperty("maxConnections", System.getProperty("connections", "10"));
                    connector.setProperty("maxKeepAliveRequests", "-1");
                },
                path -> Upstream.call());
    }
}
