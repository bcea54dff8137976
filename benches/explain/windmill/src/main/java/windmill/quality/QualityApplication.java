package windmill.quality;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import reactor.core.publisher.Hooks;

/** Quality of a delivery of grain, from its samples; Reactor is asked to tell where errors come from. */
@SpringBootApplication
public class QualityApplication {
    public static void main(String[] arguments) {
        if (!Boolean.getBoolean("quality.short-traces")) {
            Hooks.onOperatorDebug();
        }
        SpringApplication.run(QualityApplication.class, arguments);
    }
}
