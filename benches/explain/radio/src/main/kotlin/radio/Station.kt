package radio

import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO as ClientCIO
import io.ktor.client.request.get
import io.ktor.client.statement.bodyAsText
import io.ktor.server.application.Application
import io.ktor.server.cio.CIO as ServerCIO
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import java.net.URI

val partnerUrl: String = System.getProperty("upstream", "http://127.0.0.1:9")

fun setting(property: String, default: Int): Int = Integer.getInteger(property, default)

/** The agencies that the station works with, by coroutines. */
class Agency {
    private val http = HttpClient(ClientCIO) {
        engine {
            maxConnectionsCount = 2_000
            endpoint.maxConnectionsPerRoute = 1_000
        }
    }

    suspend fun ask(path: String): String = http.get("$partnerUrl/$path").bodyAsText()
}

/** Reads as the older libraries do, with a thread that waits. */
fun readFromAgency(path: String): String = URI("$partnerUrl/$path").toURL().readText()

fun broadcast(service: String) {
    val module: Application.() -> Unit = when (service) {
        "playlists" -> Application::playlists
        "jingles" -> Application::jingles
        "phone-ins" -> Application::phoneIns
        "song-requests" -> Application::songRequests
        "traffic-news" -> Application::trafficNews
        "news-archive" -> Application::newsArchive
        else -> error("no service $service")
    }
    val port = setting("server.port", 8080)
    if (System.getProperty("radio.engine") == "netty") {
        embeddedServer(Netty, port, "127.0.0.1", module = module).start(wait = true)
    } else {
        embeddedServer(ServerCIO, port, "127.0.0.1", module = module).start(wait = true)
    }
}
