package bikes

import io.ktor.client.HttpClient
import io.ktor.client.engine.apache5.Apache5
import io.ktor.client.plugins.logging.LogLevel
import io.ktor.client.plugins.logging.Logger
import io.ktor.client.plugins.logging.Logging
import io.ktor.client.plugins.logging.SIMPLE
import io.ktor.client.request.get
import io.ktor.client.statement.bodyAsText
import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

/** Orders of helmets: Ktor's client prints all of each call to a standard output that is read slowly. */
fun Application.helmetOrders() {
    val shop = HttpClient(Apache5) {
        install(Logging) {
            logger = Logger.SIMPLE
            level = LogLevel.valueOf(System.getProperty("helmets.log", "ALL"))
        }
    }
    routing {
        get("/") { call.respondText("helmet ${shop.get(PARTNER).bodyAsText().length}") }
    }
}
