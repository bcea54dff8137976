package aquarium.seahorses;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Healthy: temperatures of seahorses' tanks; sensors are looked up in the slow DNS, all the time, by tasks alone. */
@SpringBootApplication
@EnableScheduling
@RestController
public class SeahorsesApplication {
    private final List<InetAddress> sensors = new CopyOnWriteArrayList<>();
    private final RestClient thermometers;

    SeahorsesApplication(RestClient.Builder clients, @Value("${upstream}") String address) {
        thermometers = clients.baseUrl(address).build();
    }

    @Bean
    static ThreadPoolTaskScheduler discovery() {
        var discovery = new ThreadPoolTaskScheduler();
        discovery.setPoolSize(3);
        discovery.setThreadNamePrefix("discovery-");
        return discovery;
    }

    @GetMapping("/")
    String temperature() {
        var reading = thermometers.get().uri("/tanks/4").retrieve().body(String.class);
        return "24." + reading.length() + " of " + sensors.size();
    }

    @Scheduled(fixedDelay = 20)
    void lookUpNorth() throws UnknownHostException {
        lookUp("sensors-north.plant");
    }

    @Scheduled(fixedDelay = 20)
    void lookUpSouth() throws UnknownHostException {
        lookUp("sensors-south.plant");
    }

    private void lookUp(String name) throws UnknownHostException {
        var found = List.of(InetAddress.getAllByName(name));
        sensors.removeAll(found);
        sensors.addAll(found);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SeahorsesApplication.class, arguments);
    }
}
