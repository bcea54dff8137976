package foundry.moulds;

import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

@RestController
class MouldController {
    private static final int MOULDS = 4_000;

    private final AtomicInteger poured = new AtomicInteger();
    private final Drawings drawings;

    MouldController(Drawings drawings) {
        this.drawings = drawings;
    }

    @GetMapping("/lines/{line}/next-mould")
    Mould next(@PathVariable int line) {
        int number = Math.floorMod(poured.getAndIncrement() * 13 + line, MOULDS);
        return new Mould(number, line, drawings.drawing(number));
    }

    record Mould(int number, int line, String drawing) {}
}
