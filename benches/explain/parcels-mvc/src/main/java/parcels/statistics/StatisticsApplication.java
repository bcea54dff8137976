package parcels.statistics;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.scheduling.annotation.EnableAsync;

/** How many parcels are on their way; of the last years, too, which an export works on. */
@SpringBootApplication
@EnableAsync
public class StatisticsApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(StatisticsApplication.class, arguments);
    }
}
