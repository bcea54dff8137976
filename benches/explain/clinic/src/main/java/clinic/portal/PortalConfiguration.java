package clinic.portal;

import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

@Configuration(proxyBeanMethods = false)
class PortalConfiguration implements WebMvcConfigurer {
    private final FairUse fairUse;

    PortalConfiguration(FairUse fairUse) {
        this.fairUse = fairUse;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(fairUse).addPathPatterns("/queues/**");
    }
}
