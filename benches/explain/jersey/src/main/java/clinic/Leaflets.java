package clinic;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/** Leaflets, which are compressed as well as can be, for each request anew. */
public final class Leaflets {
    private static final byte[] LEAFLET = leaflet(Integer.getInteger("leaflets.words", 20_000));

    public static void main(String[] arguments) throws IOException {
        int level = Integer.getInteger("leaflets.level", Deflater.BEST_COMPRESSION);
        Clinic.open(60, () -> "leaflet of " + compress(level));
    }

    private static byte[] leaflet(int words) {
        var random = new SplittableRandom(7);
        var text = new StringBuilder();
        for (int word = 0; word < words; word++) {
            text.append(Integer.toString(random.nextInt(3_000), 36)).append(' ');
        }
        return text.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private static int compress(int level) throws IOException {
        var packed = new ByteArrayOutputStream();
        var deflater = new Deflater(level);
        try (var out = new DeflaterOutputStream(packed, deflater)) {
            out.write(LEAFLET);
        } finally {
            deflater.end();
        }
        return packed.size();
    }
}
