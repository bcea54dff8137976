package plimsoll.gateway;

import org.springframework.boot.WebApplicationType;

/** What the gateway is served by. */
public enum ServerKind {
    /** Servlets on Tomcat, a platform or a virtual thread for each request. */
    TOMCAT(WebApplicationType.SERVLET),

    /** WebFlux on Reactor Netty's event loops. */
    NETTY(WebApplicationType.REACTIVE);

    private final WebApplicationType applicationType;

    ServerKind(WebApplicationType applicationType) {
        this.applicationType = applicationType;
    }

    WebApplicationType applicationType() {
        return applicationType;
    }
}
