package ski.groomers;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.concurrent.Semaphore;
import org.springframework.web.servlet.HandlerInterceptor;

/** Lets as many requests in as there are channels of the radio; the others wait. */
class RadioChannels implements HandlerInterceptor {
    private final Semaphore free;

    RadioChannels(int channels) {
        free = new Semaphore(channels, true);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws InterruptedException {
        free.acquire();
        return true;
    }

    @Override
    public void afterCompletion(
            HttpServletRequest request, HttpServletResponse response, Object handler, Exception failure) {
        free.release();
    }
}
