package orchard.weather

import java.net.URI
import java.net.http.HttpClient
import java.net.http.HttpRequest
import java.net.http.HttpResponse.BodyHandlers
import kotlinx.coroutines.future.await
import kotlinx.coroutines.runBlocking
import org.springframework.beans.factory.annotation.Value
import org.springframework.stereotype.Component
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RequestAttribute
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.server.ServerWebExchange
import org.springframework.web.server.WebFilter
import org.springframework.web.server.WebFilterChain
import reactor.core.publisher.Mono

@Component
class Licences(@Value("\${upstream}") office: URI) {
    private val client = HttpClient.newHttpClient()
    private val request = HttpRequest.newBuilder(office.resolve("/licences")).build()

    suspend fun current(): String = client.sendAsync(request, BodyHandlers.ofString()).await().body()
}

@Component
class LicenceFilter(private val licences: Licences) : WebFilter {
    override fun filter(exchange: ServerWebExchange, chain: WebFilterChain): Mono<Void> {
        exchange.attributes["licence"] = runBlocking { licences.current() }
        return chain.filter(exchange)
    }
}

@RestController
class WeatherController {
    @GetMapping("/")
    suspend fun forecast(@RequestAttribute licence: String): String = "dry until noon, licence of ${licence.length}"
}
