package crossing

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import java.util.concurrent.ConcurrentLinkedQueue
import kotlin.time.Duration.Companion.milliseconds
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch

private class Label(val consignment: String) {
    val printed = CompletableDeferred<String>()
}

/** Labels go to the print shop together, since each of its orders costs a fee. */
private class LabelOrders(private val partner: Partner, scope: CoroutineScope) {
    private val waiting = ConcurrentLinkedQueue<Label>()
    private val pause = number("labels.pause-ms", 200).milliseconds
    private val perOrder = number("labels.per-order", 12)

    init {
        scope.launch {
            while (true) {
                delay(pause)
                val labels = generateSequence { waiting.poll() }.take(perOrder).toList()
                if (labels.isNotEmpty()) {
                    scope.launch { order(labels) }
                }
            }
        }
    }

    suspend fun print(consignment: String): String {
        val label = Label(consignment)
        waiting.add(label)
        return label.printed.await()
    }

    private suspend fun order(labels: List<Label>) {
        val answer = runCatching { partner.write("labels", labels.joinToString("\n") { it.consignment }) }
        labels.forEach { it.printed.completeWith(answer) }
    }
}

private fun <T> CompletableDeferred<T>.completeWith(result: Result<T>) {
    result.fold(::complete, ::completeExceptionally)
}

fun Application.freightLabels() {
    val orders = LabelOrders(Partner(), this)
    routing {
        get("/consignments/{consignment}/label") {
            val printed = orders.print(call.parameters["consignment"].orEmpty())
            call.respondText("""{"order": ${printed.length}}""")
        }
    }
}
