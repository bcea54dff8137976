package thumbs;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import support.Plain;

/** Thumbnails, for which each request unpacks two pictures into large arrays, beside an album that is kept. */
public final class Thumbnails {
    private static final int PICTURE = 700_000;
    private static final List<byte[]> ALBUM = new ArrayList<>();

    public static void main(String[] arguments) throws IOException {
        for (int picture = 0; picture < 4_000; picture++) {
            ALBUM.add(new byte[15_000]);
        }
        Plain.serve(60, Thumbnails::thumbnail);
    }

    private static String thumbnail() {
        var kept = ALBUM.get(ThreadLocalRandom.current().nextInt(ALBUM.size()));
        int sum = 0;
        for (int side = 0; side < 2; side++) {
            var picture = new byte[PICTURE];
            System.arraycopy(kept, 0, picture, side, kept.length);
            sum += picture[side + 7];
        }
        return "thumbnail " + sum;
    }
}
