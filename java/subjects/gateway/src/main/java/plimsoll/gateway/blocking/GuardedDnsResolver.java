package plimsoll.gateway.blocking;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import plimsoll.gateway.call.CallTrace.Phase;
import plimsoll.gateway.policy.AddressPolicy;

/** HttpClient 5's resolver: it connects to nothing but what this returns. */
final class GuardedDnsResolver extends SystemDefaultDnsResolver {

    private final AddressPolicy addresses;

    GuardedDnsResolver(AddressPolicy addresses) {
        this.addresses = addresses;
    }

    @Override
    public InetAddress[] resolve(String host) throws UnknownHostException {
        var started = System.nanoTime();
        var resolved = super.resolve(host);
        OutboundCall.current().trace().took(Phase.DNS, Duration.ofNanos(System.nanoTime() - started));
        return addresses.admit(host, List.of(resolved)).toArray(InetAddress[]::new);
    }
}
