package library.branches;

import java.net.http.HttpClient;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** Branches that have a book, behind a server that accepts as many connections as it is told to. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@RestController
public class BranchesApplication {
    private final RestClient branches = RestClient.builder()
            .requestFactory(new JdkClientHttpRequestFactory(HttpClient.newHttpClient()))
            .baseUrl(System.getProperty("upstream", "http://127.0.0.1:9"))
            .build();

    @GetMapping("/")
    String find() {
        return "in "
                + branches.get().uri("/branches").retrieve().body(String.class).length();
    }

    public static void main(String[] arguments) {
        SpringApplication.run(BranchesApplication.class, arguments);
    }
}
