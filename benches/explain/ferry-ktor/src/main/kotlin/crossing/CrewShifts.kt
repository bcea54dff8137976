package crossing

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import java.net.HttpURLConnection
import java.net.URI
import java.util.concurrent.Executors
import kotlinx.coroutines.asCoroutineDispatcher
import kotlinx.coroutines.withContext

/** The roster's library is of 2009 and blocks, so that it has threads of its own. */
private class Roster {
    private val threads = Executors.newFixedThreadPool(number("roster.threads", 3)).asCoroutineDispatcher()

    suspend fun shiftsOf(crew: String): List<String> = withContext(threads) {
        val connection = URI("$partnerUrl/roster/$crew").toURL().openConnection() as HttpURLConnection
        connection.readTimeout = 20_000
        connection.inputStream.bufferedReader().use { it.readLines() }
    }
}

fun Application.crewShifts() {
    val roster = Roster()
    routing {
        get("/crews/{crew}/shifts") {
            val shifts = roster.shiftsOf(call.parameters["crew"].orEmpty())
            call.respondText("""{"lines": ${shifts.size}, "first": ${shifts.firstOrNull()?.length}}""")
        }
    }
}
