package crossing

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import java.util.concurrent.atomic.AtomicInteger
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock

/** Seats of the lounge. Vouchers of the last season are settled beside it, each behind the one before. */
fun Application.lounge() {
    val partner = Partner()
    val guests = Mutex()
    var counted = 0L
    settleVouchers()
    routing {
        get("/lounge/{deck}/seats") {
            val deck = call.parameters["deck"].orEmpty()
            val number = guests.withLock { ++counted }
            val seats = partner.read("lounge/$deck").length
            call.respondText("""{"deck": "$deck", "guest": $number, "seats": $seats}""")
        }
    }
}

private fun Application.settleVouchers() {
    val vouchers = Channel<Int>(Channel.UNLIMITED)
    val ledger = Mutex()
    val settled = AtomicInteger()
    repeat(20_000) { vouchers.trySend(it) }
    repeat(40) {
        launch {
            for (voucher in vouchers) {
                ledger.withLock {
                    delay(150.milliseconds)
                    settled.addAndGet(voucher % 7)
                }
            }
        }
    }
}
