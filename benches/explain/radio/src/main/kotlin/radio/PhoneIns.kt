package radio

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.ExperimentalCoroutinesApi
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.flow.consumeAsFlow
import kotlinx.coroutines.flow.flatMapMerge
import kotlinx.coroutines.flow.flow
import kotlinx.coroutines.launch

private class Call(val number: String) {
    val screened = CompletableDeferred<String>()
}

/** Calls of listeners, each screened by an agency before it goes on air: one flow of them all, for statistics. */
@OptIn(ExperimentalCoroutinesApi::class)
fun Application.phoneIns() {
    val agency = Agency()
    val calls = Channel<Call>(Channel.UNLIMITED)
    var seconds = 0L
    launch {
        calls.consumeAsFlow()
            .flatMapMerge { call ->
                flow {
                    val verdict = runCatching { agency.ask("screening/${call.number}") }
                    verdict.fold(call.screened::complete, call.screened::completeExceptionally)
                    emit(verdict.getOrDefault("").length)
                }
            }
            .collect { seconds += it }
    }
    routing {
        get("/calls/{number}") {
            val waiting = Call(call.parameters["number"].orEmpty())
            calls.send(waiting)
            call.respondText("""{"caller": "${waiting.number}", "line": ${waiting.screened.await().length % 9}}""")
        }
        get("/statistics") { call.respondText("$seconds") }
    }
}
