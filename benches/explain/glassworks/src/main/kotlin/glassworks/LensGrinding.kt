package glassworks

import io.ktor.client.HttpClient
import io.ktor.client.engine.java.Java
import io.ktor.client.request.post
import io.ktor.client.request.setBody
import io.ktor.client.statement.bodyAsText
import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing

/** Lenses that another works grinds: Ktor's client on java.net.http asks, and they grind few at once. */
fun Application.lensGrinding() {
    val client = HttpClient(Java)
    routing {
        get("/") {
            val ground = client.post(WORKSHOP) { setBody("lens of 4.25 dioptres") }
            call.respondText("ground ${ground.bodyAsText().length}")
        }
    }
}
