package bikes

import com.fasterxml.jackson.module.kotlin.jacksonObjectMapper
import io.ktor.http.ContentType
import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

data class Trip(val bike: String, val minutes: Int, val cents: Long, val docks: List<Dock>)

data class Dock(val name: String, val place: Place, val free: Int = 0)

data class Place(val latitude: Double, val longitude: Double)

/** Receipts of trips as JSON, for each of which a mapper of Jackson's is made: the CPU looks at classes all day. */
fun Application.tripReceipts() {
    val kept = if (System.getProperty("receipts.mapper") == "kept") jacksonObjectMapper() else null
    val trip = Trip("b-17", 12, 240, List(3) { Dock("dock $it", Place(48.1 + it, 11.5)) })
    routing {
        get("/") {
            val mapper = kept ?: jacksonObjectMapper()
            val copy = mapper.readValue(mapper.writeValueAsString(trip), Trip::class.java)
            call.respondText(mapper.writeValueAsString(copy), ContentType.Application.Json)
        }
    }
}
