package garage.estimates;

import java.io.IOException;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class EstimateController {
    private static final int CENTS_PER_HOUR = 9_800;

    private final LabourTimes times;

    EstimateController(LabourTimes times) {
        this.times = times;
    }

    @GetMapping("/estimates/{job}")
    Estimate estimate(@PathVariable String job) throws IOException {
        int minutes = times.minutes(job);
        return new Estimate(job, minutes, minutes * CENTS_PER_HOUR / 60);
    }

    record Estimate(String job, int minutes, int cents) {}
}
