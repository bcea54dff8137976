package radio

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import java.sql.Connection
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

private class Library(connections: Int) {
    private val pool = HikariDataSource(
        HikariConfig().apply {
            jdbcUrl = "jdbc:ledger:$partnerUrl/"
            poolName = "library"
            maximumPoolSize = connections
        },
    )

    /** Lends a connection to a coroutine, as a transaction. */
    suspend fun <T> transaction(work: suspend (Connection) -> T): T = withContext(Dispatchers.IO) {
        pool.connection.use { work(it) }
    }
}

private fun songs(connection: Connection, hour: String): Int =
    connection.prepareStatement("select title from songs where hour = ?").use { statement ->
        statement.setString(1, hour)
        statement.executeQuery().use { rows ->
            generateSequence { if (rows.next()) rows.getString(1) else null }.count()
        }
    }

/** Playlists of an hour, with the fees that the collecting society wants for them. */
fun Application.playlists() {
    val library = Library(setting("library.connections", 8))
    val society = Agency()
    routing {
        get("/playlists/{hour}") {
            val hour = call.parameters["hour"].orEmpty()
            val answer = library.transaction { connection ->
                val songs = songs(connection, hour)
                """{"hour": "$hour", "songs": $songs, "fees": ${society.ask("fees/$songs").length}}"""
            }
            call.respondText(answer)
        }
    }
}
