package bikes

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

/** Docks nearby, for each of which the partner is asked after the other, unless one call asks for all. */
fun Application.nearbyDocks() {
    val calls = setting("nearby.calls", 12)
    routing {
        get("/") {
            val free = (1..calls).sumOf { askPartner().length }
            call.respondText("nearby $free")
        }
    }
}
