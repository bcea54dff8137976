package bikes

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** Healthy: vans that wait for one Mutex and block threads of Dispatchers.IO in turn; no rider waits for them. */
fun Application.nightTransfers() {
    val ramp = Mutex()
    val depot = Any()
    val night = CoroutineScope(Dispatchers.IO)
    repeat(40) { night.launch { while (true) ramp.withLock { Thread.sleep(200) } } }
    repeat(30) { night.launch { while (true) synchronized(depot) { Thread.sleep(50) } } }
    routing {
        get("/") { call.respondText("bicycle ${askPartner().length}") }
    }
}
