package crossing

import io.ktor.client.HttpClient
import io.ktor.client.engine.java.Java
import io.ktor.client.request.get
import io.ktor.client.request.post
import io.ktor.client.request.setBody
import io.ktor.client.statement.bodyAsText
import io.ktor.server.application.Application
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty

val partnerUrl: String = System.getProperty("upstream", "http://127.0.0.1:9")

fun number(property: String, default: Int): Int = Integer.getInteger(property, default)

/** The partners' REST APIs, by coroutines. */
class Partner {
    private val http = HttpClient(Java)

    suspend fun read(path: String): String = http.get("$partnerUrl/$path").bodyAsText()

    suspend fun write(path: String, body: String): String = http.post("$partnerUrl/$path") { setBody(body) }.bodyAsText()
}

fun serve(service: String) {
    val install: Application.() -> Unit = when (service) {
        "crew-shifts" -> Application::crewShifts
        "vehicle-slots" -> Application::vehicleSlots
        "freight-labels" -> Application::freightLabels
        "island-bus" -> Application::islandBus
        "lounge" -> Application::lounge
        else -> error("no service $service")
    }
    embeddedServer(Netty, port = number("server.port", 8080), host = "127.0.0.1", module = install).start(wait = true)
}
