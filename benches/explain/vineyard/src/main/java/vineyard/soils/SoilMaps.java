package vineyard.soils;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

record Layer(Integer depth, Double clay, Double sand) {}

@Service
class SoilMaps {
    private final List<List<Layer>> parcels;
    private final WebClient weather;

    SoilMaps(WebClient.Builder clients, @Value("${upstream}") String weather) {
        this.weather = clients.baseUrl(weather).build();
        var random = new SplittableRandom(7);
        parcels = IntStream.range(0, 5_000)
                .mapToObj(parcel -> layers(random, 100))
                .toList();
    }

    /** Wets each layer before the weather is known, as that takes a while to come. */
    Mono<String> map(int parcel) {
        var wet = new ArrayList<Layer>();
        for (int repeat = 0; repeat < 60; repeat++) {
            for (var layer : parcels.get((parcel + repeat) % parcels.size())) {
                wet.add(new Layer(layer.depth() + repeat, layer.clay() * 1.1, layer.sand() * 0.9));
            }
        }
        return weather.get()
                .uri("/parcels/{parcel}/rain", parcel)
                .retrieve()
                .bodyToMono(String.class)
                .map(rain -> drawn(wet, rain.length()));
    }

    private static String drawn(List<Layer> layers, int millimetres) {
        double clay = 0;
        for (var layer : layers) {
            clay += layer.clay() * millimetres;
        }
        return layers.size() + " layers, " + Math.round(clay);
    }

    private static List<Layer> layers(SplittableRandom random, int number) {
        var layers = new ArrayList<Layer>(number);
        for (int i = 0; i < number; i++) {
            layers.add(new Layer(1_000 + i, random.nextDouble(), random.nextDouble()));
        }
        return layers;
    }
}

@RestController
class SoilController {
    private final SoilMaps maps;

    SoilController(SoilMaps maps) {
        this.maps = maps;
    }

    @GetMapping("/parcels/{parcel}/soil")
    Mono<String> map(@PathVariable int parcel) {
        return maps.map(parcel);
    }
}
