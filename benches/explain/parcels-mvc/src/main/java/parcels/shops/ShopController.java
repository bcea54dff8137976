package parcels.shops;

import java.util.List;
import java.util.concurrent.Callable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
class ShopController {
    private final ShopDirectory directory;

    ShopController(ShopDirectory directory) {
        this.directory = directory;
    }

    @GetMapping("/shops")
    Callable<List<ShopDirectory.Shop>> nextTo(
            @RequestParam(defaultValue = "50.11") double latitude,
            @RequestParam(defaultValue = "8.68") double longitude) {
        return () -> directory.nextTo(latitude, longitude);
    }
}
