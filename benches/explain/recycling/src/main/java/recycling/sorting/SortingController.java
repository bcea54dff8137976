package recycling.sorting;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

@RestController
class SortingController {
    private final SortingLine line;

    SortingController(SortingLine line) {
        this.line = line;
    }

    @GetMapping("/batches/{batch}/plan")
    Mono<SortingLine.Plan> plan(@PathVariable int batch) {
        return Mono.fromSupplier(() -> line.plan(batch, 6)).subscribeOn(Schedulers.parallel());
    }
}
