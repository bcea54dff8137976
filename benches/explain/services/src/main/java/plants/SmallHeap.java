package plants;

import java.util.concurrent.ConcurrentHashMap;

/** A cache that fills most of a small heap, and garbage with each request. */
final class SmallHeap {
    private static final ConcurrentHashMap<Integer, byte[]> CACHE = new ConcurrentHashMap<>();

    public static void main(String[] arguments) throws Exception {
        for (int i = 0; i < Integer.getInteger("cached.kb", 40_000) / 4; i++) {
            CACHE.put(i, new byte[4096]);
        }
        Serve.Answer answer = path -> {
            int sum = 0;
            for (int i = 0; i < 20; i++) {
                var page = CACHE.get((path.hashCode() & 0xfff) + i).clone();
                sum += page.length;
            }
            return "sum " + sum;
        };
        if (Boolean.getBoolean("undertow")) {
            Serve.undertow(Serve.ROOM, answer);
        } else {
            Serve.jdk(answer);
        }
    }
}
