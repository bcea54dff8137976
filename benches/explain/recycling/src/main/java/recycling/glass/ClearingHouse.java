package recycling.glass;

import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Service;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;

/** Asks the clearing house, in step with a clock. */
@Service
class ClearingHouse {
    private final Sinks.Many<Question> questions = Sinks.many().unicast().onBackpressureBuffer();
    private final WebClient house;

    ClearingHouse(
            WebClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${glass.interval:10ms}") Duration interval) {
        house = clients.baseUrl(address).build();
        Flux.zip(questions.asFlux(), Flux.interval(interval).onBackpressureDrop(), (question, tick) -> question)
                .flatMap(this::ask, 256)
                .subscribe();
    }

    Mono<String> credit(String voucher) {
        return Mono.create(sink -> questions.emitNext(
                new Question(voucher, sink), Sinks.EmitFailureHandler.busyLooping(Duration.ofSeconds(1))));
    }

    private Mono<Void> ask(Question question) {
        return house.get()
                .uri("/vouchers/{voucher}", question.voucher())
                .retrieve()
                .bodyToMono(String.class)
                .doOnNext(question.answer()::success)
                .doOnError(question.answer()::error)
                .onErrorComplete()
                .then();
    }

    record Question(String voucher, MonoSink<String> answer) {}
}
