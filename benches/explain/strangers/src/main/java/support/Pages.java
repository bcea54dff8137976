package support;

import java.util.function.Supplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/** A handler of Jetty that writes one page. */
public final class Pages extends Handler.Abstract {
    private final Supplier<String> page;

    public Pages(Supplier<String> page) {
        this.page = page;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        try {
            Content.Sink.write(response, true, page.get(), callback);
        } catch (RuntimeException e) {
            Response.writeError(request, response, callback, 503, e.toString());
        }
        return true;
    }
}
