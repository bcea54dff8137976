package plants;

/** Undertow with 6 workers, each of which waits for the upstream. */
final class UndertowThreads {
    public static void main(String[] arguments) {
        Serve.undertow(Integer.getInteger("workers", 6), path -> Upstream.call());
    }
}
