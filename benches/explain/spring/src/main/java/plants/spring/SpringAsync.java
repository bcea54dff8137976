package plants.spring;

import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Work that Spring's applicationTaskExecutor does, whose size is Spring Boot's property. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class, scanBasePackages = "none")
@EnableAsync
public class SpringAsync {
    public static void main(String[] arguments) {
        SpringApplication.run(SpringAsync.class, arguments);
    }

    @Bean
    Reports reports() {
        return new Reports();
    }

    static class Reports {
        @Async
        public CompletableFuture<String> make() throws InterruptedException {
            Thread.sleep(25);
            return CompletableFuture.completedFuture("report");
        }
    }

    @RestController
    static class Page {
        private final Reports reports;

        Page(Reports reports) {
            this.reports = reports;
        }

        @GetMapping("/")
        CompletableFuture<String> report() throws InterruptedException {
            return reports.make();
        }
    }
}
