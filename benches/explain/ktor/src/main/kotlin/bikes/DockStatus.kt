package bikes

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

/** Status of the docks by a library that blocks, on a part of Dispatchers.IO that has few threads at once. */
fun Application.dockStatus() {
    val docks = Dispatchers.IO.limitedParallelism(setting("docks.parallelism", 4), "docks")
    routing {
        get("/") {
            val status = withContext(docks) { askPartnerBlocking() }
            call.respondText("docks ${status.length}")
        }
    }
}
