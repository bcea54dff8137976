package plants;

/** Tomcat with 8 threads, each of which waits for the upstream. */
final class TomcatThreads {
    public static void main(String[] arguments) throws Exception {
        Serve.tomcat(
                connector -> {
                    connector.setProperty("maxThreads", System.getProperty("threads", "8"));
                    connector.setProperty("minSpareThreads", "8");
                },
                path -> Upstream.call());
    }
}
