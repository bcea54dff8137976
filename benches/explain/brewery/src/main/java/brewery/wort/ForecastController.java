package brewery.wort;

import java.util.Arrays;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ForecastController {
    private final Forecast forecast;

    ForecastController(Forecast forecast) {
        this.forecast = forecast;
    }

    @GetMapping("/forecasts")
    String forecast(@RequestParam double plato) {
        var found = new StringBuilder();
        for (int celsius = 8; celsius < 20; celsius++) {
            found.append(celsius).append(": ");
            found.append(Arrays.toString(forecast.after(plato * 10, celsius))).append('\n');
        }
        return found.toString();
    }
}
