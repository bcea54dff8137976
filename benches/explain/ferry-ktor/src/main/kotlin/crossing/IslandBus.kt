package crossing

import io.ktor.http.HttpStatusCode
import io.ktor.server.application.Application
import io.ktor.server.application.ApplicationCall
import io.ktor.server.application.createApplicationPlugin
import io.ktor.server.application.install
import io.ktor.server.request.header
import io.ktor.server.response.respond
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.coroutines.runBlocking

/** The pass of an islander, as the municipality knows it. */
private class Passes(private val municipality: Partner) {
    suspend fun fetch(pass: String): Boolean = municipality.read("passes/$pass").isNotEmpty()

    /** For code that was written before coroutines. */
    fun isValid(pass: String): Boolean = runBlocking { fetch(pass) }
}

private fun passCheck(passes: Passes) = createApplicationPlugin("PassCheck") {
    val suspending = java.lang.Boolean.getBoolean("passes.suspending")
    onCall { call ->
        val pass = call.pass()
        val valid = if (suspending) passes.fetch(pass) else passes.isValid(pass)
        if (!valid) {
            call.respond(HttpStatusCode.Forbidden)
        }
    }
}

private fun ApplicationCall.pass() = request.header("X-Pass") ?: "visitor"

fun Application.islandBus() {
    val partner = Partner()
    install(passCheck(Passes(partner)))
    routing {
        get("/islands/{island}/buses") {
            val island = call.parameters["island"].orEmpty()
            call.respondText("""{"island": "$island", "pass": "${call.pass()}", "buses": [7, 22, 37, 52]}""")
        }
    }
}
