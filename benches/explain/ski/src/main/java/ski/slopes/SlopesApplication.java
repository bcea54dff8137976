package ski.slopes;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Open and closed slopes, from memory; limited by Tomcat's access log, which goes to a slow standard output. */
@SpringBootApplication
@RestController
public class SlopesApplication {
    private final Map<Integer, Boolean> open = new ConcurrentHashMap<>(Map.of(1, true, 2, true, 7, false, 12, true));

    @GetMapping("/")
    String status(@RequestParam(defaultValue = "7") int slope) {
        return "slope " + slope + (open.getOrDefault(slope, false) ? " open" : " closed");
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SlopesApplication.class, arguments);
    }
}
