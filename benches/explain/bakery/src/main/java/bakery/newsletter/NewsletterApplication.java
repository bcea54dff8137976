package bakery.newsletter;

import java.util.concurrent.ThreadPoolExecutor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Healthy: subscriptions to a newsletter, whose letters fill the queue of an executor that no request waits for. */
@SpringBootApplication(
        exclude = {
            DataJpaRepositoriesAutoConfiguration.class,
            HibernateJpaAutoConfiguration.class,
            JettyServletWebServerAutoConfiguration.class
        })
@EnableAsync
@EnableScheduling
@RestController
public class NewsletterApplication {
    private final JdbcTemplate jdbc;

    NewsletterApplication(JdbcTemplate jdbc) {
        this.jdbc = jdbc;
    }

    @Bean
    static ThreadPoolTaskExecutor letterExecutor() {
        var executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(2);
        executor.setMaxPoolSize(2);
        executor.setQueueCapacity(500);
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        executor.setThreadNamePrefix("letter-");
        return executor;
    }

    @GetMapping("/")
    String subscriber(@RequestParam(defaultValue = "7") int number) {
        return jdbc.query(
                        "SELECT name, since FROM subscriber WHERE number = ?",
                        (row, index) -> "subscriber " + row.getString(1).length(),
                        number)
                .get(0);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(NewsletterApplication.class, arguments);
    }
}
