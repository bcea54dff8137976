package glassworks

import io.ktor.client.HttpClient
import io.ktor.client.engine.cio.CIO as ClientOnCIO
import io.ktor.client.request.get
import io.ktor.client.statement.bodyAsText
import io.ktor.server.application.Application
import io.ktor.server.cio.CIO
import io.ktor.server.engine.embeddedServer

/** Address of the workshop, which others run. */
val WORKSHOP: String = System.getProperty("upstream", "http://127.0.0.1:9")

private val client by lazy {
    HttpClient(ClientOnCIO) {
        engine {
            maxConnectionsCount = 1_000
            endpoint.maxConnectionsPerRoute = 500
        }
    }
}

private val modules: Map<String, Application.() -> Unit> = mapOf(
    "window-quotes" to Application::windowQuotes,
    "glass-stock" to Application::glassStock,
    "furnace-jobs" to Application::furnaceJobs,
    "bottle-orders" to Application::bottleOrders,
    "lens-grinding" to Application::lensGrinding,
    "postcards" to Application::postcards,
)

/** Opens the server with the module of that name. */
fun open(name: String) {
    val module = modules.getValue(name)
    embeddedServer(CIO, host = "127.0.0.1", port = setting("server.port", 8080)) { module() }.start(wait = true)
}

/** Asks the workshop without a thread that waits. */
suspend fun askWorkshop(): String = client.get(WORKSHOP).bodyAsText()

fun setting(name: String, otherwise: Int): Int = Integer.getInteger(name, otherwise)
