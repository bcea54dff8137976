package bikes

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.random.Random
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** Codes that unlock bicycles: a Mutex of coroutines is held while the partner is asked for the next code. */
fun Application.unlockCodes() {
    val cities = List(setting("codes.mutexes", 1)) { Mutex() }
    routing {
        get("/") {
            val code = cities[Random.nextInt(cities.size)].withLock { askPartner() }
            call.respondText("code ${code.hashCode()}")
        }
    }
}
