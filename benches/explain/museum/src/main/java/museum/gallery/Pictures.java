package museum.gallery;

import java.util.List;
import java.util.stream.IntStream;

/** The pictures of the week, unpacked, so that the screens need not wait. */
class Pictures {
    private final List<Picture> ofTheWeek;

    Pictures(int count) {
        ofTheWeek = IntStream.range(0, count).mapToObj(Picture::painted).toList();
    }

    Picture inLight(int number, int light) {
        return ofTheWeek.get(Math.floorMod(number, ofTheWeek.size())).lit(light);
    }
}
