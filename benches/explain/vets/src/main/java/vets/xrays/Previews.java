package vets.xrays;

import org.springframework.stereotype.Service;

/** Makes a small picture with the usual contrast of a large one with sixteen bits a pixel. */
@Service
class Previews {
    private static final int WIDTH = 1_024;
    private static final int HEIGHT = 768;
    private static final int SCALE = 8;

    byte[] preview(StudyIndex.Study study) {
        return shrink(window(raw(study)));
    }

    /** Unpacks what the detector stores: a line, and by how much the next ones differ. */
    private static short[] raw(StudyIndex.Study study) {
        var line = new short[WIDTH];
        for (int i = 0; i < WIDTH; i++) {
            line[i] = (short) (i * 3 + (study.seed() >>> i % 48 & 0xff));
        }
        var pixels = new short[WIDTH * HEIGHT];
        for (int i = 0; i < HEIGHT; i++) {
            line[i] += (short) (i & 0x1f);
            System.arraycopy(line, 0, pixels, i * WIDTH, WIDTH);
        }
        return pixels;
    }

    private static byte[] window(short[] pixels) {
        int low = Short.MAX_VALUE;
        int high = Short.MIN_VALUE;
        for (int i = 0; i < pixels.length; i += SCALE) {
            low = Math.min(low, pixels[i]);
            high = Math.max(high, pixels[i]);
        }
        int factor = (255 << 16) / (high - low);
        var grey = new byte[pixels.length];
        for (int i = 0; i < pixels.length; i++) {
            grey[i] = (byte) ((pixels[i] - low) * factor >> 16);
        }
        return grey;
    }

    private static byte[] shrink(byte[] grey) {
        var small = new byte[WIDTH / SCALE * HEIGHT / SCALE];
        for (int i = 0; i < small.length; i++) {
            int column = i % (WIDTH / SCALE) * SCALE;
            int line = i / (WIDTH / SCALE) * SCALE;
            small[i] = grey[line * WIDTH + column];
        }
        return small;
    }
}
