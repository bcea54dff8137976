package glassworks

import io.ktor.client.HttpClient
import io.ktor.client.engine.okhttp.OkHttp
import io.ktor.client.request.get
import io.ktor.client.statement.bodyAsText
import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import okhttp3.Dispatcher

/** Quotes for windows: Ktor's client on OkHttp, whose dispatcher makes five calls to a host at once. */
fun Application.windowQuotes() {
    val client = HttpClient(OkHttp) {
        engine {
            config {
                dispatcher(Dispatcher().apply { maxRequestsPerHost = setting("quotes.calls-to-a-host", 5) })
            }
        }
    }
    routing {
        get("/") { call.respondText("quote ${client.get(WORKSHOP).bodyAsText().length}") }
    }
}
