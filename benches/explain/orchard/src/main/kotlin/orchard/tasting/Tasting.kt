package orchard.tasting

import java.net.URI
import kotlinx.coroutines.CoroutineDispatcher
import kotlinx.coroutines.reactor.asCoroutineDispatcher
import kotlinx.coroutines.withContext
import org.springframework.beans.factory.annotation.Value
import org.springframework.context.annotation.Bean
import org.springframework.context.annotation.Configuration
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import reactor.core.scheduler.Schedulers

@Configuration(proxyBeanMethods = false)
class Laboratory {
    @Bean
    fun laboratoryDispatcher(@Value("\${tasting.threads:4}") threads: Int): CoroutineDispatcher =
        Schedulers.newBoundedElastic(threads, 100_000, "laboratory").asCoroutineDispatcher()
}

@RestController
class TastingController(
    private val laboratoryDispatcher: CoroutineDispatcher,
    @Value("\${upstream}") private val laboratory: URI,
) {
    @GetMapping("/")
    suspend fun notes(): String {
        val sugar = withContext(laboratoryDispatcher) { laboratory.resolve("/sugar").toURL().readText() }
        return "degrees Oechsle: ${sugar.length}"
    }
}
