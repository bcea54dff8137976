package library.returns;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.OncePerRequestFilter;

/** Returned books; a filter logs each request and its answer to the console. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
@RestController
public class ReturnsApplication {
    @Component
    static class RequestLog extends OncePerRequestFilter {
        private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            var id = UUID.randomUUID();
            LOG.info("{} {} {} from {}", id, request.getMethod(), request.getRequestURI(), request.getRemoteAddr());
            chain.doFilter(request, response);
            LOG.info("{} answered with {} {}", id, response.getStatus(), response.getContentType());
        }
    }

    @GetMapping("/")
    String giveBack() {
        return "thank you";
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ReturnsApplication.class, arguments);
    }
}
