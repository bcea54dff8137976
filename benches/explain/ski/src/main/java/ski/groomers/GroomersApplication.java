package ski.groomers;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Positions of snow groomers, asked by radio; limited by an interceptor with a semaphore before all requests. */
@SpringBootApplication
@RestController
public class GroomersApplication implements WebMvcConfigurer {
    private final RestClient radio;
    private final int channels;

    GroomersApplication(
            RestClient.Builder clients,
            @Value("${upstream}") String address,
            @Value("${radio.channels:6}") int channels) {
        radio = clients.baseUrl(address).build();
        this.channels = channels;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new RadioChannels(channels));
    }

    @GetMapping("/")
    String position() {
        return "at "
                + radio.get().uri("/groomers/4").retrieve().body(String.class).length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(GroomersApplication.class, arguments);
    }
}
