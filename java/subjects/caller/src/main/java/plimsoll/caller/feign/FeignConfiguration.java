package plimsoll.caller.feign;

import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Profile;

/** OpenFeign, on whichever client {@code spring.cloud.openfeign} chooses. */
@Configuration(proxyBeanMethods = false)
@Profile("feign | feign-hc5")
@EnableFeignClients(clients = FeignUpstream.class)
class FeignConfiguration {}
