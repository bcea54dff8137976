package foundry.cranes;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Protects the service from more requests than it was made for. */
@Component
class Admission extends OncePerRequestFilter {
    private static final int PATIENCE_SECONDS = 5;

    private final Semaphore room;

    Admission(@Value("${cranes.requests-at-once:6}") int most) {
        room = new Semaphore(most, true);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!admitted()) {
            response.sendError(HttpStatus.SERVICE_UNAVAILABLE.value());
            return;
        }
        try {
            chain.doFilter(request, response);
        } finally {
            room.release();
        }
    }

    private boolean admitted() {
        try {
            return room.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
