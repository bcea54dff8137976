package garage.tyres;

import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class TyreController {
    private final StringRedisTemplate warehouse;

    TyreController(StringRedisTemplate warehouse) {
        this.warehouse = warehouse;
    }

    @GetMapping("/tyres/{size}/stock")
    Stock stock(@PathVariable String size) {
        var shelf = warehouse.opsForValue().get("tyres:" + size);
        return new Stock(size, shelf, shelf == null ? 0 : 4 * shelf.length());
    }

    record Stock(String size, String shelf, int pieces) {}
}
