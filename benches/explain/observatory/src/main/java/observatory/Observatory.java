package observatory;

import io.dropwizard.client.HttpClientBuilder;
import io.dropwizard.configuration.ResourceConfigurationSourceProvider;
import io.dropwizard.core.Application;
import io.dropwizard.core.setup.Bootstrap;
import io.dropwizard.core.setup.Environment;
import java.io.IOException;
import org.apache.hc.client5.http.classic.HttpClient;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** The observatory's services on Dropwizard, each with one resource, and settings from a file in the class path. */
abstract class Observatory extends Application<Settings> {
    static final String DOME = System.getProperty("upstream", "http://127.0.0.1:9");

    @Override
    public void initialize(Bootstrap<Settings> bootstrap) {
        bootstrap.setConfigurationSourceProvider(new ResourceConfigurationSourceProvider());
    }

    @Override
    public void run(Settings settings, Environment environment) {
        environment.jersey().register(resource(settings, environment));
    }

    abstract Object resource(Settings settings, Environment environment);

    static void open(Observatory service, String settings) throws Exception {
        System.setProperty("dw.server.connector.port", System.getProperty("server.port", "8080"));
        service.run("server", settings);
    }

    static void open(Observatory service) throws Exception {
        open(service, "observatory.yml");
    }

    static HttpClient client(Settings settings, Environment environment) {
        return new HttpClientBuilder(environment).using(settings.dome).build("dome");
    }

    static String ask(HttpClient client, String path) throws IOException {
        return client.execute(new HttpGet(DOME + path), answer -> EntityUtils.toString(answer.getEntity()));
    }
}
