package plimsoll.gateway.call;

import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;

/**
 * One call before the gateway serves: classes are loaded, and a connection is open. A call that fails does not keep the gateway from
 * starting, though it may take as long as a call may; a URL that is none, or whose host is not allowed, does.
 */
public final class WarmUpCall implements InitializingBean {

    private static final Logger LOG = LoggerFactory.getLogger(WarmUpCall.class);

    private final CallRequest request;
    private final Caller caller;

    /** @throws CallFailure if the URL is none, or may not be called */
    public WarmUpCall(CallRequests requests, String url, Caller caller) {
        this.request = requests.get(url);
        this.caller = caller;
    }

    /** Makes a call and drops its answer. */
    @FunctionalInterface
    public interface Caller {
        void call(CallRequest request) throws IOException;
    }

    @Override
    public void afterPropertiesSet() {
        try {
            caller.call(request);
        } catch (IOException | CallFailure failure) {
            LOG.warn("the warm-up call to {} failed: {}", request.target(), failure.getMessage());
        }
    }
}
