package glassworks

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch

/** Healthy: a Channel of postcards to print, far behind with its one consumer; no request waits for it. */
fun Application.postcards() {
    val postcards = Channel<String>(Channel.UNLIMITED)
    repeat(20_000) { postcards.trySend("postcard of last season $it") }
    launch {
        for (postcard in postcards) {
            delay(100.milliseconds)
        }
    }
    routing {
        get("/") {
            val tour = askWorkshop()
            postcards.trySend("postcard for $tour")
            call.respondText("tour ${tour.length}")
        }
    }
}
