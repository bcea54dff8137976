package townhall;

import java.io.IOException;
import java.nio.ByteBuffer;

/** Tiles of the town's map, each drawn into a new direct buffer: a small limit of direct memory has the JVM collect. */
public final class MapTiles {
    private static final int TILE = 256 * 256 * 4;

    public static void main(String[] arguments) throws IOException {
        TownHall.open(() -> {
            var tile = ByteBuffer.allocateDirect(TILE);
            for (int pixel = 0; pixel < TILE; pixel += 4_096) {
                tile.putInt(pixel, pixel);
            }
            return "tile " + tile.getInt(TILE - 4_096);
        });
    }
}
