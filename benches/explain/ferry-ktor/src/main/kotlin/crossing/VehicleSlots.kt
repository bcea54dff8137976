package crossing

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import java.util.concurrent.atomic.AtomicInteger
import kotlin.random.Random
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.delay

/** The ramp's scanner answers 429 to more than some at a time, which is why we count those that are under way. */
private class Ramp(private val room: Int) {
    private val underWay = AtomicInteger()

    suspend fun <T> drive(scan: suspend () -> T): T {
        while (!enter()) {
            delay(Random.nextInt(5, 20).milliseconds)
        }
        try {
            return scan()
        } finally {
            underWay.decrementAndGet()
        }
    }

    private fun enter(): Boolean {
        if (underWay.incrementAndGet() <= room) {
            return true
        }
        underWay.decrementAndGet()
        return false
    }
}

fun Application.vehicleSlots() {
    val partner = Partner()
    val ramp = Ramp(number("ramp.vehicles", 4))
    routing {
        get("/vehicles/{plate}/slot") {
            val plate = call.parameters["plate"].orEmpty()
            val size = ramp.drive { partner.read("scan/$plate") }.length
            call.respondText("""{"plate": "$plate", "lane": ${size % 5}, "decimetres": $size}""")
        }
    }
}
