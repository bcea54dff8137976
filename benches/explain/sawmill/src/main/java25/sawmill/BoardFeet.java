package sawmill;

import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Executors;

/** Volume of a board, through a remote object; limited by the calls in turn, as each of its getters is a call. */
final class BoardFeet {
    /** A board as its owner knows it. */
    interface Board {
        int length();

        int width();

        int thickness();

        int grade();

        int moisture();

        int knots();

        int bundle();

        int rack();
    }

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final boolean SNAPSHOT = Boolean.getBoolean("boards.snapshot");

    private static Board board(int number) throws Exception {
        int snapshot = SNAPSHOT ? get("/boards/" + number) : 0;
        return (Board) Proxy.newProxyInstance(
                BoardFeet.class.getClassLoader(),
                new Class<?>[] {Board.class},
                (self, getter, none) -> SNAPSHOT ? snapshot : get("/boards/" + number + "/" + getter.getName()));
    }

    private static int get(String path) throws Exception {
        var request = HttpRequest.newBuilder(URI.create(Sawmill.EXCHANGE).resolve(path))
                .version(HttpClient.Version.HTTP_1_1)
                .build();
        return CLIENT.send(request, BodyHandlers.ofString()).body().length();
    }

    public static void main(String[] arguments) throws Exception {
        Sawmill.jdk(Executors.newVirtualThreadPerTaskExecutor(), () -> {
            var board = board(4711);
            int volume = board.length() * board.width() * board.thickness();
            int penalty = board.grade() + board.moisture() + board.knots();
            return (volume - penalty) + " feet on rack " + board.rack() + " of bundle " + board.bundle();
        });
    }
}
