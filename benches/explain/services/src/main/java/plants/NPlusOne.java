package plants;

/** An order whose items are asked for one by one. */
final class NPlusOne {
    public static void main(String[] arguments) throws Exception {
        int calls = Integer.getInteger("calls", 12);
        Serve.jetty(path -> {
            int length = 0;
            for (int item = 0; item < calls; item++) {
                length += Upstream.call().length();
            }
            return "length " + length;
        });
    }
}
