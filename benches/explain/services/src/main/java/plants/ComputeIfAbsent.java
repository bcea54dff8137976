package plants;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Sessions that are made inside computeIfAbsent, all for the same user. */
final class ComputeIfAbsent {
    private static final ConcurrentHashMap<String, String> SESSIONS = new ConcurrentHashMap<>();
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    public static void main(String[] arguments) throws Exception {
        int users = Integer.getInteger("users", 1);
        Serve.undertow(Serve.ROOM, path -> {
            var user = "user " + REQUESTS.incrementAndGet() % users;
            var session = SESSIONS.computeIfAbsent(user, ComputeIfAbsent::login);
            SESSIONS.remove(user);
            return session;
        });
    }

    private static String login(String user) {
        try {
            return user + " " + Upstream.call().length();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
