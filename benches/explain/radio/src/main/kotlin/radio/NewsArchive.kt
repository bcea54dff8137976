package radio

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Semaphore
import kotlinx.coroutines.sync.withPermit

/** News of a day. Tapes of the sixties are digitised beside it, by one machine and one coroutine for each of them. */
fun Application.newsArchive() {
    val agency = Agency()
    val editors = Semaphore(50)
    digitise()
    routing {
        get("/news/{day}") {
            val day = call.parameters["day"].orEmpty()
            val news = editors.withPermit { agency.ask("news/$day") }
            call.respondText("""{"day": "$day", "letters": ${news.length}}""")
        }
    }
}

private fun Application.digitise() {
    val machine = Dispatchers.IO.limitedParallelism(1, "tapes")
    val reels = Semaphore(1)
    repeat(2_000) { tape ->
        launch(machine) {
            reels.withPermit {
                Thread.sleep(250)
                delay(tape.milliseconds)
            }
        }
    }
}
