package bakery.weddings;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Offers for wedding cakes; limited by the executor for mail, which has become that of all that is asynchronous. */
@SpringBootApplication(exclude = {DataSourceAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class})
@EnableAsync
@RestController
public class WeddingsApplication {
    private final Ingredients ingredients;
    private final Mail mail;

    WeddingsApplication(Ingredients ingredients, Mail mail) {
        this.ingredients = ingredients;
        this.mail = mail;
    }

    @Bean
    static ThreadPoolTaskExecutor mailExecutor(@Value("${mail.threads:4}") int threads) {
        var executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(threads);
        executor.setThreadNamePrefix("mail-");
        return executor;
    }

    @GetMapping("/")
    String offer() {
        var marzipan = ingredients.price("marzipan");
        var sugar = ingredients.price("sugar-flowers");
        int cents = 24_000 + marzipan.join() + sugar.join();
        mail.sendOffer(cents);
        return "three tiers for EUR " + cents / 100;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(WeddingsApplication.class, arguments);
    }
}
