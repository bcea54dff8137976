package clinic.lab;

import java.util.concurrent.CompletableFuture;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

@RestController
class OrderController {
    private final Laboratory laboratory;

    OrderController(Laboratory laboratory) {
        this.laboratory = laboratory;
    }

    @RequestMapping("/samples/{sample}/orders/{analysis}")
    CompletableFuture<Order> order(@PathVariable String sample, @PathVariable String analysis) {
        return laboratory.place(sample, analysis).thenApply(number -> new Order(sample, analysis, number));
    }

    record Order(String sample, String analysis, int number) {}
}
