package garage.pressures;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class PressureController {
    @GetMapping("/pressures")
    Pressure pressure(@RequestParam double bar, @RequestParam double speed) {
        return new Pressure(bar, new Journey(bar, speed).atTheEnd());
    }

    record Pressure(double cold, double warm) {}
}
