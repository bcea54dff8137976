package bikes

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.random.Random

/** Trips of the season, kept in memory: the heap has little room left for the reports that are made of them. */
fun Application.tripArchive() {
    val trips = List(300_000) { "trip $it from ${Random.nextInt(900)} to ${Random.nextInt(900)}" }
    routing {
        get("/") {
            val from = Random.nextInt(trips.size - 2_000)
            val report = trips.subList(from, from + 2_000)
                .map { it.split(' ') }
                .groupBy { it[3] }
                .mapValues { (_, those) -> those.map { it[5] }.sorted() }
            call.respondText("docks ${report.size}")
        }
    }
}
