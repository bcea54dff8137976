package orchard.frost

import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import org.springframework.beans.factory.annotation.Value
import org.springframework.stereotype.Component
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.awaitBody

@Component
class Turns(@Value("\${frost.messages-in-100-ms:6}") messages: Int) {
    private val turns = Channel<Unit>(messages)

    init {
        CoroutineScope(SupervisorJob() + Dispatchers.Default).launch {
            while (true) {
                repeat(messages) { turns.trySend(Unit) }
                delay(100.milliseconds)
            }
        }
    }

    suspend fun next() = turns.receive()
}

@RestController
class FrostController(clients: WebClient.Builder, @Value("\${upstream}") network: String, private val turns: Turns) {
    private val network = clients.baseUrl(network).build()

    @GetMapping("/")
    suspend fun warn(): String {
        turns.next()
        val receipt = network.post().uri("/messages").bodyValue("frost at dawn").retrieve().awaitBody<String>()
        return "sent, receipt of ${receipt.length}"
    }
}
