package bikes

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.coroutines.EmptyCoroutineContext
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

/** Wallets of riders: the payment company's library blocks, and is called on Ktor's loops for calls. */
fun Application.riderWallet() {
    val where = if (System.getProperty("wallet.on") == "io") Dispatchers.IO else EmptyCoroutineContext
    routing {
        get("/") {
            val balance = withContext(where) { askPartnerBlocking() }
            call.respondText("balance ${balance.length}")
        }
    }
}
