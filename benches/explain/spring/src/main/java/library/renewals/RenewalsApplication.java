package library.renewals;

import java.net.http.HttpClient;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.resilience.annotation.ConcurrencyLimit;
import org.springframework.resilience.annotation.EnableResilientMethods;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Renewals of loans, a few at once by Spring's own concurrency limit. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@EnableResilientMethods
public class RenewalsApplication {
    @Bean
    Renewals renewals() {
        return new Renewals();
    }

    static class Renewals {
        private final RestClient loans = RestClient.builder()
                .requestFactory(new JdkClientHttpRequestFactory(HttpClient.newHttpClient()))
                .baseUrl(System.getProperty("upstream", "http://127.0.0.1:9"))
                .build();

        @ConcurrencyLimit(limitString = "${renewals.at-once:6}")
        public String renew() {
            return "renewed "
                    + loans.get().uri("/loan").retrieve().body(String.class).length();
        }
    }

    @RestController
    static class Counter {
        private final Renewals renewals;

        Counter(Renewals renewals) {
            this.renewals = renewals;
        }

        @GetMapping("/")
        String renew() {
            return renewals.renew();
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(RenewalsApplication.class, arguments);
    }
}
