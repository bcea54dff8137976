package garage.fleet;

import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;

@Component
class Register {
    private final RestClient register;

    Register(RestClient.Builder clients, @Value("${upstream}") String register) {
        this.register = clients.baseUrl(register).build();
    }

    int daysLeft(String vehicle) {
        var found = register.get()
                .uri("/vehicles/{vehicle}/inspection", vehicle)
                .retrieve()
                .body(String.class);
        return found.length() + vehicle.hashCode() % 30;
    }

    List<Integer> daysLeft(List<String> vehicles) {
        var found = register.get()
                .uri("/inspections?vehicles={vehicles}", String.join(",", vehicles))
                .retrieve()
                .body(String.class);
        return vehicles.stream()
                .map(vehicle -> found.length() + vehicle.hashCode() % 30)
                .toList();
    }
}
