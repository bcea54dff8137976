package plimsoll.gateway.policy;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** A host whose every address the policy refuses. An {@link UnknownHostException}, because resolvers may throw no other. */
public class AddressRefusedException extends UnknownHostException {

    private static final long serialVersionUID = 1;

    AddressRefusedException(String host, InetAddress address) {
        super(host + " is " + address.getHostAddress() + ", which is no public address;"
                + " gateway.allow-private-addresses=true would allow it");
    }
}
