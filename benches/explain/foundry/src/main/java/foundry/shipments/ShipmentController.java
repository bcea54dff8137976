package foundry.shipments;

import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ShipmentController {
    private final Shipments shipments;

    ShipmentController(Shipments shipments) {
        this.shipments = shipments;
    }

    @GetMapping("/shipments/{shipment}")
    Shipment shipment(@PathVariable String shipment) {
        return new Shipment(shipment, shipments.lines(shipment));
    }

    record Shipment(String number, List<Line> lines) {}
}
