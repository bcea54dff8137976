package garage.appointments;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.stereotype.Component;

/** The old server's settings: names of hosts are in its access log, too. */
@Component
class Connectors implements WebServerFactoryCustomizer<TomcatServletWebServerFactory> {
    private final boolean lookUp;

    Connectors(@Value("${appointments.look-up-hosts:true}") boolean lookUp) {
        this.lookUp = lookUp;
    }

    @Override
    public void customize(TomcatServletWebServerFactory tomcat) {
        tomcat.addConnectorCustomizers(connector -> connector.setEnableLookups(lookUp));
    }
}
