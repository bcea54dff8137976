package parcels.shops;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;

/** All the shops there are, which are kept in memory: it is but a few megabytes. */
@Component
class ShopDirectory {
    private static final double RADIUS_IN_KM = 6371;

    private final List<Shop> shops;
    private final Map<Integer, List<Shop>> districts;
    private final boolean byDistrict;

    ShopDirectory(@Value("${shops.by-district:false}") boolean byDistrict) {
        var random = new Random(7);
        shops = IntStream.range(0, 20_000)
                .mapToObj(i -> new Shop("shop " + i, 47 + 8 * random.nextDouble(), 6 + 9 * random.nextDouble()))
                .toList();
        districts = shops.stream().collect(Collectors.groupingBy(shop -> district(shop.latitude(), shop.longitude())));
        this.byDistrict = byDistrict;
    }

    List<Shop> nextTo(double latitude, double longitude) {
        var near = new ArrayList<>(byDistrict ? districts.get(district(latitude, longitude)) : shops);
        near.sort(Comparator.comparingDouble(shop -> shop.kilometresTo(latitude, longitude)));
        return near.subList(0, Math.min(5, near.size()));
    }

    private static int district(double latitude, double longitude) {
        return (int) (latitude * 2) * 1000 + (int) (longitude * 2);
    }

    record Shop(String name, double latitude, double longitude) {
        double kilometresTo(double otherLatitude, double otherLongitude) {
            var north = Math.sin(Math.toRadians(otherLatitude - latitude) / 2);
            var east = Math.sin(Math.toRadians(otherLongitude - longitude) / 2);
            var cosines = Math.cos(Math.toRadians(latitude)) * Math.cos(Math.toRadians(otherLatitude));
            return 2 * RADIUS_IN_KM * Math.asin(Math.sqrt(north * north + cosines * east * east));
        }
    }
}
