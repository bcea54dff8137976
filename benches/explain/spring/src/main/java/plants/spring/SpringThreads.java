package plants.spring;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Spring MVC whose Tomcat has few threads, by Spring Boot's property. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class, scanBasePackages = "none")
@RestController
public class SpringThreads {
    private final RestClient upstream;

    SpringThreads(RestClient.Builder builder) {
        upstream = builder.baseUrl(System.getProperty("upstream")).build();
    }

    @GetMapping("/")
    String call() {
        return upstream.get().retrieve().body(String.class);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(SpringThreads.class, arguments);
    }
}
