package garage.orders;

import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
    private final Purchasing purchasing;

    OrderController(Purchasing purchasing) {
        this.purchasing = purchasing;
    }

    @RequestMapping("/parts/{part}/order")
    Order order(@PathVariable String part) {
        return new Order(part, purchasing.order(part));
    }

    record Order(String part, String confirmation) {}
}
