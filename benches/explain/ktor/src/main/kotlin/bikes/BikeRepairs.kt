package bikes

import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO
import io.ktor.client.engine.cio.endpoint
import io.ktor.client.request.get
import io.ktor.client.statement.bodyAsText
import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

/** Repairs that the workshop is asked for, by Ktor's client on CIO with few connections for a host. */
fun Application.bikeRepairs() {
    val workshop = HttpClient(CIO) {
        engine {
            endpoint { maxConnectionsPerRoute = setting("repairs.connections", 4) }
        }
    }
    routing {
        get("/") { call.respondText("repair ${workshop.get(PARTNER).bodyAsText().length}") }
    }
}
