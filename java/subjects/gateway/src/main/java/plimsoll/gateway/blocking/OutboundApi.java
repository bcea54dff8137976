package plimsoll.gateway.blocking;

import feign.RequestLine;
import feign.Response;
import java.net.URI;

/** What Feign makes a client of. The URL is the caller's, and so are the method and all else: see {@link FeignClient}. */
interface OutboundApi {

    @RequestLine("GET")
    Response exchange(URI target);
}
