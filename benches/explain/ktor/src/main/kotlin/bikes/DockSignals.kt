package bikes

import io.ktor.network.selector.SelectorManager
import io.ktor.network.sockets.Socket
import io.ktor.network.sockets.aSocket
import io.ktor.network.sockets.openReadChannel
import io.ktor.network.sockets.openWriteChannel
import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import io.ktor.utils.io.ByteReadChannel
import io.ktor.utils.io.ByteWriteChannel
import io.ktor.utils.io.readByteArray
import io.ktor.utils.io.readUTF8Line
import io.ktor.utils.io.writeStringUtf8
import java.net.URI
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.channels.Channel

/** Signals to docks over sockets of Ktor's: head and body are flushed apart, on sockets that wait for the ACK. */
fun Application.dockSignals() {
    val lines = Channel<Line>(Channel.UNLIMITED)
    val selector = SelectorManager(Dispatchers.IO)
    val prompt = System.getProperty("signals.no-delay") == "true"
    routing {
        get("/") {
            val line = lines.tryReceive().getOrNull() ?: Line.connect(selector, prompt)
            val answer = line.signal("""{"dock":17,"lamp":"green"}""")
            lines.send(line)
            call.respondText("signal $answer")
        }
    }
}

private class Line(socket: Socket) {
    private val input: ByteReadChannel = socket.openReadChannel()
    private val output: ByteWriteChannel = socket.openWriteChannel(autoFlush = false)

    suspend fun signal(body: String): Int {
        output.writeStringUtf8("POST / HTTP/1.1\r\nHost: docks\r\nContent-Length: ${body.length}\r\n\r\n")
        output.flush()
        output.writeStringUtf8(body)
        output.flush()
        var length = 0
        while (true) {
            val header = input.readUTF8Line().orEmpty()
            if (header.isEmpty()) break
            if (header.startsWith("content-length:", ignoreCase = true)) {
                length = header.substringAfter(':').trim().toInt()
            }
        }
        return input.readByteArray(length).size
    }

    companion object {
        suspend fun connect(selector: SelectorManager, prompt: Boolean): Line {
            val docks = URI.create(PARTNER)
            return Line(aSocket(selector).tcp().connect(docks.host, docks.port) { noDelay = prompt })
        }
    }
}
