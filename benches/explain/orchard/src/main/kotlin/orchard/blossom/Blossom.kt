package orchard.blossom

import kotlin.time.Duration.Companion.seconds
import kotlin.time.TimeSource
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.SupervisorJob
import kotlinx.coroutines.flow.MutableSharedFlow
import kotlinx.coroutines.flow.first
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withLock
import kotlinx.coroutines.sync.withPermit
import org.springframework.beans.factory.annotation.Value
import org.springframework.stereotype.Component
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.awaitBody

@Component
class Watchers {
    private val scope = CoroutineScope(SupervisorJob() + Dispatchers.Default)
    private val blossoms = MutableSharedFlow<String>()
    private val places = Semaphore(2)

    init {
        repeat(500) { watcher ->
            scope.launch { places.withPermit { println("watcher $watcher sees ${blossoms.first()}") } }
        }
    }
}

@Component
class Season(clients: WebClient.Builder, @Value("\${upstream}") garden: String) {
    private val garden = clients.baseUrl(garden).build()
    private val mutex = Mutex()
    private var until = TimeSource.Monotonic.markNow()
    private var name = ""

    suspend fun name(): String = mutex.withLock {
        if (until.hasPassedNow()) {
            name = ask("/season")
            until = TimeSource.Monotonic.markNow() + 60.seconds
        }
        name
    }

    suspend fun ask(path: String): String = garden.get().uri(path).retrieve().awaitBody()
}

@RestController
class BlossomController(private val season: Season) {
    @GetMapping("/")
    suspend fun blossom(): String = "season of ${season.name().length}, rows of ${season.ask("/rows").length}"
}
