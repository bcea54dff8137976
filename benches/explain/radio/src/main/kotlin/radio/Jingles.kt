package radio

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

/** Jingles, mixed by a studio's library that knows nothing of coroutines. */
fun Application.jingles() {
    val mixing = Dispatchers.IO.limitedParallelism(setting("mixing.desks", 5), "mixing")
    routing {
        get("/jingles/{show}") {
            val show = call.parameters["show"].orEmpty()
            val jingle = withContext(mixing) { readFromAgency("mix/$show") }
            call.respondText("""{"show": "$show", "milliseconds": ${jingle.length * 50}}""")
        }
    }
}
