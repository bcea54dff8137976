package parcels.addresses;

import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.stereotype.Service;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

/** The register, which is one of several hosts that parcels are looked up at. */
@Service
class AddressRegister {
    private final WebClient register;

    AddressRegister(
            WebClient.Builder clients,
            @Value("${upstream}") URI register,
            @Value("${addresses.register-connections:6}") int contracted) {
        var host = new InetSocketAddress(register.getHost(), register.getPort());
        var connections = ConnectionProvider.builder("outbound")
                .maxConnections(500)
                .pendingAcquireMaxCount(-1)
                .pendingAcquireTimeout(Duration.ofSeconds(20))
                .maxIdleTime(Duration.ofSeconds(30))
                .forRemoteHost(host, its -> its.maxConnections(contracted).pendingAcquireMaxCount(-1))
                .build();
        var http = HttpClient.create(connections).responseTimeout(Duration.ofSeconds(5));
        this.register = clients.baseUrl(register.toString())
                .clientConnector(new ReactorClientHttpConnector(http))
                .build();
    }

    Mono<Address> find(String street) {
        return register.get()
                .uri("/addresses?street={street}", street)
                .retrieve()
                .bodyToMono(String.class)
                .map(found -> new Address(street, found.length()));
    }

    record Address(String street, int certainty) {}
}

@RestController
class AddressController {
    private final AddressRegister register;

    AddressController(AddressRegister register) {
        this.register = register;
    }

    @GetMapping("/")
    Mono<AddressRegister.Address> check(@RequestParam(defaultValue = "Harbour Street 4") String street) {
        return register.find(street.strip());
    }
}
