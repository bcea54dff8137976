package bikes

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit

/** Routes through the town: a Semaphore of coroutines lets few at once ask the partner, whose contract says so. */
fun Application.routePlanner() {
    val licence = Semaphore(setting("routes.at-once", 5))
    routing {
        get("/") {
            val route = licence.withPermit { askPartner() }
            call.respondText("route ${route.length}")
        }
    }
}
