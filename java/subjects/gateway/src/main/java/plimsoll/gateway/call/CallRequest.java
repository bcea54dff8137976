package plimsoll.gateway.call;

import java.net.URI;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;

/**
 * A call as it goes out.
 *
 * @param target where to, admitted by the policy
 * @param headers as the upstream gets them; {@code Content-Length} is there if the length of the body is known
 * @param hasBody whether there is a body, maybe an empty one
 */
public record CallRequest(HttpMethod method, URI target, HttpHeaders headers, boolean hasBody) {

    /** The body's length in bytes; -1 if it is sent in chunks. */
    public long contentLength() {
        return headers.getContentLength();
    }
}
