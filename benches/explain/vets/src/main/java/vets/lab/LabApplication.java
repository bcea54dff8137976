package vets.lab;

import org.eclipse.jetty.client.HttpClient;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.http.client.JettyClientHttpRequestFactory;

/** Blood counts, which a laboratory outside of the house makes. */
@SpringBootApplication(exclude = TomcatServletWebServerAutoConfiguration.class)
public class LabApplication {
    @Bean
    JettyClientHttpRequestFactory requests(@Value("${lab.connections:6}") int connections) {
        var http = new HttpClient();
        http.setMaxConnectionsPerDestination(connections);
        http.setUserAgentField(null);
        return new JettyClientHttpRequestFactory(http);
    }

    public static void main(String[] arguments) {
        SpringApplication.run(LabApplication.class, arguments);
    }
}
