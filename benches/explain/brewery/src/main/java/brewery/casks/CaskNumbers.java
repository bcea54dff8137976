package brewery.casks;

import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.client.RestClient;

/** Series of numbers; one for all sites, unless the inspectors have granted more. */
@Service
class CaskNumbers {
    private final Series[] series;
    private final RestClient inspectors;

    CaskNumbers(
            RestClient.Builder clients,
            @Value("${upstream}") String inspectors,
            @Value("${casks.series:1}") int granted) {
        this.inspectors = clients.baseUrl(inspectors).build();
        series = Stream.generate(Series::new).limit(granted).toArray(Series[]::new);
    }

    long next(int site) {
        return series[site % series.length].next(number -> inspectors
                .put()
                .uri("/sites/{site}/casks/{number}", site, number)
                .retrieve()
                .toBodilessEntity());
    }
}
