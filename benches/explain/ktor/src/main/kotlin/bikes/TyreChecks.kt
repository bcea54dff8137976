package bikes

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit
import kotlinx.coroutines.withContext

/** Healthy: checks of tyres behind a narrow part of Dispatchers.IO and a Semaphore, for which few users suffice. */
fun Application.tyreChecks() {
    val gauges = Dispatchers.IO.limitedParallelism(16, "gauges")
    val bench = Semaphore(16)
    routing {
        get("/") {
            val pressure = bench.withPermit { withContext(gauges) { askPartnerBlocking() } }
            call.respondText("tyre ${pressure.length}")
        }
    }
}
