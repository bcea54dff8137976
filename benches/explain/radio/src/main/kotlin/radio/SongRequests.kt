package radio

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch

/** Hands out coins at an even pace, as the streaming service's terms of use have it. */
private class Meter(application: Application, private val perInterval: Int) {
    private val coins = Channel<Unit>(perInterval)

    init {
        application.launch {
            while (isActive) {
                repeat(perInterval) { coins.trySend(Unit) }
                delay(50.milliseconds)
            }
        }
    }

    suspend fun insert() = coins.receive()
}

fun Application.songRequests() {
    val streaming = Agency()
    val meter = Meter(this, setting("streaming.coins", 6))
    routing {
        get("/songs/{title}") {
            val title = call.parameters["title"].orEmpty()
            meter.insert()
            call.respondText("""{"title": "$title", "seconds": ${streaming.ask("songs/$title").length}}""")
        }
    }
}
