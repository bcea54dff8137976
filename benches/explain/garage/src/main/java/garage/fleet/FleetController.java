package garage.fleet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class FleetController {
    private static final int VEHICLES = 15;

    private final Register register;
    private final boolean together;

    FleetController(Register register, @Value("${fleet.ask-together:false}") boolean together) {
        this.register = register;
        this.together = together;
    }

    @GetMapping("/fleets/{fleet}/inspections")
    List<Inspection> inspections(@PathVariable String fleet) {
        var vehicles = IntStream.range(0, VEHICLES)
                .mapToObj(number -> fleet + "-" + number)
                .toList();
        var due = new ArrayList<Inspection>();
        if (together) {
            var left = register.daysLeft(vehicles);
            for (int i = 0; i < VEHICLES; i++) {
                due.add(new Inspection(vehicles.get(i), left.get(i)));
            }
        } else {
            for (var vehicle : vehicles) {
                due.add(new Inspection(vehicle, register.daysLeft(vehicle)));
            }
        }
        due.sort(Comparator.comparingInt(Inspection::daysLeft));
        return due;
    }

    record Inspection(String vehicle, int daysLeft) {}
}
