package orchard.register

import kotlin.random.Random
import kotlinx.coroutines.sync.Mutex
import kotlinx.coroutines.sync.withLock
import org.springframework.beans.factory.annotation.Value
import org.springframework.stereotype.Component
import org.springframework.web.bind.annotation.GetMapping
import org.springframework.web.bind.annotation.RestController
import org.springframework.web.reactive.function.client.WebClient
import org.springframework.web.reactive.function.client.awaitBody

@Component
class TreeRegister(
    clients: WebClient.Builder,
    @Value("\${upstream}") association: String,
    @Value("\${register.volumes:1}") volumes: Int,
) {
    private val association = clients.baseUrl(association).build()
    private val volumes = List(volumes) { Volume() }

    suspend fun enter(tree: Int): Entry {
        val volume = volumes[tree % volumes.size]
        return volume.mutex.withLock {
            val receipt = association.post().uri("/trees").bodyValue("tree $tree").retrieve().awaitBody<String>()
            Entry(tree, ++volume.entries, receipt)
        }
    }

    private class Volume {
        val mutex = Mutex()
        var entries = 0
    }
}

data class Entry(val tree: Int, val number: Int, val receipt: String)

@RestController
class RegisterController(private val register: TreeRegister) {
    @GetMapping("/")
    suspend fun enter(): String {
        val entry = register.enter(Random.nextInt(100_000))
        return "tree ${entry.tree} is number ${entry.number}, receipt of ${entry.receipt.length}"
    }
}
