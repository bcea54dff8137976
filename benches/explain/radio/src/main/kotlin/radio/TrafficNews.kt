package radio

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlin.random.Random
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

private class Road(val from: Int, val to: Int, val minutes: Int)

private class RoadMap(private val places: Int, seed: Int) {
    private val roads = Random(seed).let { random ->
        List(places * 4) { Road(random.nextInt(places), random.nextInt(places), random.nextInt(2, 40)) }
    }

    /** Minutes to the place that is farthest, by Bellman and Ford. */
    fun farthest(start: Int): Int {
        val minutes = IntArray(places) { if (it == start) 0 else FAR }
        do {
            var shorter = false
            for (road in roads) {
                val by = minutes[road.from] + road.minutes
                if (by < minutes[road.to]) {
                    minutes[road.to] = by
                    shorter = true
                }
            }
        } while (shorter)
        return minutes.filter { it < FAR }.max()
    }

    private companion object {
        const val FAR = 1_000_000
    }
}

/** News of the traffic, with a detour that is worked out for each listener. */
fun Application.trafficNews() {
    val map = RoadMap(4_000, 97)
    routing {
        get("/traffic/{place}") {
            val place = call.parameters["place"]?.toInt() ?: 0
            val minutes = withContext(Dispatchers.Default) { map.farthest(place % 4_000) }
            call.respondText("""{"place": $place, "minutes": $minutes}""")
        }
    }
}
