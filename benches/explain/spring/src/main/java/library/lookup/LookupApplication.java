package library.lookup;

import com.google.common.util.concurrent.RateLimiter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Looks books up by their number; an interceptor keeps to a rate by Guava's limiter. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class LookupApplication implements WebMvcConfigurer {
    private static final class FairUse implements HandlerInterceptor {
        private final RateLimiter limiter;

        FairUse(double perSecond) {
            limiter = RateLimiter.create(perSecond);
        }

        @Override
        public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
            limiter.acquire();
            return true;
        }
    }

    private final double perSecond;

    LookupApplication(@Value("${lookup.per-second:150}") double perSecond) {
        this.perSecond = perSecond;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(new FairUse(perSecond));
    }

    @RestController
    static class Page {
        @GetMapping("/")
        String book() {
            return "978-3-16-148410-0";
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(LookupApplication.class, arguments);
    }
}
