package observatory;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.dropwizard.client.HttpClientConfiguration;
import io.dropwizard.core.Configuration;
import io.dropwizard.db.DataSourceFactory;

/** The settings of the observatory's services, which system properties that begin with {@code dw.} override. */
public class Settings extends Configuration {
    @JsonProperty
    HttpClientConfiguration dome = new HttpClientConfiguration();

    @JsonProperty
    DataSourceFactory catalogue = new DataSourceFactory();
}
