package plimsoll.gateway;

import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationListener;

/** Makes the application a servlet one or a reactive one, as {@code gateway.server} says; both stacks are on the class path. */
class ServerChoice implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        var server = Binder.get(event.getEnvironment())
                .bind("gateway.server", ServerKind.class)
                .orElse(ServerKind.TOMCAT);
        event.getSpringApplication().setWebApplicationType(server.applicationType());
    }
}
