package glassworks

import io.ktor.server.application.Application
import io.ktor.server.response.respondBytes
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import java.io.ByteArrayOutputStream
import java.util.zip.GZIPOutputStream
import kotlin.random.Random
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

/** Orders of bottles, packed on Dispatchers.Default: work for the CPU, of which a quota leaves little. */
fun Application.bottleOrders() {
    val random = Random(7)
    val orders = (1..1_000).joinToString("\n") {
        "order $it: ${random.nextInt(5_000)} bottles of ${random.nextInt(9)} dl"
    }
    routing {
        get("/") { call.respondBytes(withContext(Dispatchers.Default) { packed(orders) }) }
    }
}

private fun packed(orders: String): ByteArray {
    val bytes = ByteArrayOutputStream()
    GZIPOutputStream(bytes).bufferedWriter().use { it.write(orders) }
    return bytes.toByteArray()
}
