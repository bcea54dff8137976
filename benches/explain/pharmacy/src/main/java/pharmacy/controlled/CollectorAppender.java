package pharmacy.controlled;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Posts each line to the collector of logs with the thread that logs. */
public class CollectorAppender extends AppenderBase<ILoggingEvent> {
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private URI address;

    public void setAddress(String address) {
        this.address = URI.create(address);
    }

    @Override
    protected void append(ILoggingEvent event) {
        var line = HttpRequest.newBuilder(address)
                .POST(HttpRequest.BodyPublishers.ofString(event.getFormattedMessage()))
                .build();
        try {
            client.send(line, HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            addError("the collector does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
