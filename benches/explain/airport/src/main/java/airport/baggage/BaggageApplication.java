package airport.baggage;

import airport.Partner;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.integration.dsl.IntegrationFlow;
import org.springframework.integration.dsl.MessageChannels;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Bags that are sorted by a flow of Spring Integration, whose channel hands them to an executor of few threads. */
@SpringBootApplication
@RestController
public class BaggageApplication {
    private final Belts belts;

    BaggageApplication(Belts belts) {
        this.belts = belts;
    }

    @GetMapping("/")
    String sort() {
        return belts.sort("LH0074112");
    }

    public static void main(String[] arguments) {
        SpringApplication.run(BaggageApplication.class, arguments);
    }

    /** A class of its own: the controller waits for the gateway, and the gateway for the flow. */
    @Configuration
    static class Sorting {
        @Bean
        ThreadPoolTaskExecutor beltThreads(@Value("${baggage.belts:3}") int belts) {
            var threads = new ThreadPoolTaskExecutor();
            threads.setCorePoolSize(belts);
            threads.setThreadNamePrefix("belt-");
            return threads;
        }

        @Bean
        IntegrationFlow sorting(ThreadPoolTaskExecutor beltThreads) {
            var scanner = Partner.by(Scanner.class);
            return IntegrationFlow.from(MessageChannels.executor("bags", beltThreads))
                    .handle(
                            String.class,
                            (tag, headers) -> "belt " + scanner.read(tag).length())
                    .get();
        }
    }
}
