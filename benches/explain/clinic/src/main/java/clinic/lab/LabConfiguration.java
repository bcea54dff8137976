package clinic.lab;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;

@Configuration(proxyBeanMethods = false)
@EnableAsync
class LabConfiguration {
    @Bean
    ThreadPoolTaskExecutor laboratories(@Value("${lab.core-threads:5}") int threads) {
        var executor = new ThreadPoolTaskExecutor();
        executor.setThreadNamePrefix("lab-");
        executor.setCorePoolSize(threads);
        executor.setMaxPoolSize(100);
        return executor;
    }
}
