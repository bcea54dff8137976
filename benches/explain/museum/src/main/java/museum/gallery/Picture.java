package museum.gallery;

/** Pixels, a byte for each of three colours in an int. */
record Picture(int[] pixels) {
    private static final int SIDE = 512;

    static Picture painted(int seed) {
        var pixels = new int[SIDE * SIDE];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (i * 31 + seed * 977) & 0xffffff;
        }
        return new Picture(pixels);
    }

    Picture lit(int light) {
        var lit = pixels.clone();
        for (int i = 0; i < lit.length; i += 4) {
            lit[i] = lit[i] >> 1 & 0x7f7f7f | light;
        }
        return new Picture(lit);
    }

    long mean() {
        long sum = 0;
        for (int i = 0; i < pixels.length; i += 64) {
            sum += pixels[i] & 0xff;
        }
        return sum * 64 / pixels.length;
    }
}
