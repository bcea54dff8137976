package orchard.cider

import java.time.Duration
import kotlin.random.Random
import kotlinx.coroutines.reactor.awaitSingle
import org.springframework.beans.factory.annotation.Value
import org.springframework.stereotype.Service
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.client.WebClient
import reactor.core.publisher.Mono
import reactor.core.publisher.Sinks
import reactor.core.publisher.Sinks.EmitFailureHandler.busyLooping

@Service
class CiderPresses(
    clients: WebClient.Builder,
    @Value("\${upstream}") mill: String,
    @Value("\${cider.presses:2}") presses: Int,
) {
    private val mill = clients.baseUrl(mill).build()
    private val orders = Sinks.many().unicast().onBackpressureBuffer<Order>()

    init {
        orders.asFlux()
            .groupBy { it.cellar % presses }
            .flatMap { press -> press.concatMap(::press) }
            .subscribe()
    }

    suspend fun order(cellar: Int): String {
        val order = Order(cellar, Sinks.one())
        orders.emitNext(order, busyLooping(Duration.ofSeconds(1)))
        return order.cider.asMono().awaitSingle()
    }

    private fun press(order: Order): Mono<String> =
        mill.post()
            .uri("/pressings")
            .bodyValue("cellar ${order.cellar}")
            .retrieve()
            .bodyToMono(String::class.java)
            .doOnNext { order.cider.tryEmitValue(it) }
            .doOnError { order.cider.tryEmitError(it) }
            .onErrorComplete()

    private class Order(val cellar: Int, val cider: Sinks.One<String>)
}

@RestController
class CiderController(private val presses: CiderPresses) {
    @GetMapping("/")
    suspend fun order(): String = "pressed ${presses.order(Random.nextInt(1_000)).length}"
}
