package glassworks

import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.Channel
import kotlinx.coroutines.launch

private class FurnaceJob {
    val done = CompletableDeferred<String>()
}

/** Jobs for the furnaces in a Channel, from which few coroutines take them, one at a time each. */
fun Application.furnaceJobs() {
    val jobs = Channel<FurnaceJob>(Channel.UNLIMITED)
    repeat(setting("furnaces", 4)) {
        launch(Dispatchers.Default) {
            for (job in jobs) {
                runCatching { askWorkshop() }
                    .onSuccess { job.done.complete(it) }
                    .onFailure { job.done.completeExceptionally(it) }
            }
        }
    }
    routing {
        get("/") {
            val job = FurnaceJob()
            jobs.send(job)
            call.respondText("done ${job.done.await().length}")
        }
    }
}
