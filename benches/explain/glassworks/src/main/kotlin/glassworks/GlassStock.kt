package glassworks

import com.zaxxer.hikari.HikariConfig
import com.zaxxer.hikari.HikariDataSource
import io.ktor.server.application.Application
import io.ktor.server.response.respondText
import io.ktor.server.routing.get
import io.ktor.server.routing.routing
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.withContext

/** Stock of sheets of glass: threads of Dispatchers.IO wait for one of HikariCP's connections, ten as it is. */
fun Application.glassStock() {
    val database = HikariDataSource(
        HikariConfig().apply {
            jdbcUrl = "jdbc:ledger:$WORKSHOP"
            driverClassName = "org.ledgerdb.jdbc.LedgerDriver"
            Integer.getInteger("stock.connections")?.let { maximumPoolSize = it }
        },
    )
    routing {
        get("/") {
            val sheets = withContext(Dispatchers.IO) { database.sheets() }
            call.respondText("sheets ${sheets.length}")
        }
    }
}

private fun HikariDataSource.sheets(): String = connection.use { connection ->
    connection.prepareStatement("select sheets from stock").use { statement ->
        statement.executeQuery().use { rows ->
            rows.next()
            rows.getString(1)
        }
    }
}
