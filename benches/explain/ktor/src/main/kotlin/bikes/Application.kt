package bikes

import io.ktor.client.HttpClient
import io.ktor.client.engine.apache5.Apache5
import io.ktor.client.request.get
import io.ktor.client.statement.bodyAsText
import io.ktor.server.application.Application
import io.ktor.server.engine.embeddedServer
import io.ktor.server.netty.Netty
import java.net.URI

/** Address of the company that keeps the docks. */
val PARTNER: String = System.getProperty("upstream", "http://127.0.0.1:9")

private val client by lazy {
    HttpClient(Apache5) {
        engine { socketTimeout = 60_000 }
    }
}

private val modules: Map<String, Application.() -> Unit> = mapOf(
    "dock-status" to Application::dockStatus,
    "rider-wallet" to Application::riderWallet,
    "unlock-codes" to Application::unlockCodes,
    "route-planner" to Application::routePlanner,
    "bike-repairs" to Application::bikeRepairs,
    "trip-receipts" to Application::tripReceipts,
    "trip-archive" to Application::tripArchive,
    "dock-signals" to Application::dockSignals,
    "nearby-docks" to Application::nearbyDocks,
    "helmet-orders" to Application::helmetOrders,
    "night-transfers" to Application::nightTransfers,
    "tyre-checks" to Application::tyreChecks,
)

/** Opens the server with the module of that name. */
fun open(name: String) {
    val module = modules.getValue(name)
    embeddedServer(Netty, host = "127.0.0.1", port = setting("server.port", 8080)) { module() }.start(wait = true)
}

/** Asks the partner without a thread that waits. */
suspend fun askPartner(): String = client.get(PARTNER).bodyAsText()

/** Asks the partner by the old library, which blocks. */
fun askPartnerBlocking(): String = URI.create(PARTNER).toURL().openStream().use { it.readBytes().decodeToString() }

fun setting(name: String, otherwise: Int): Int = Integer.getInteger(name, otherwise)
