package plimsoll.gateway.policy;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.springframework.boot.http.client.InetAddressFilter;

/**
 * Addresses that may be connected to. Only global unicast ones, unless private ones are allowed: a gateway must not be a way into
 * the network that it stands in, whatever a name resolves to.
 *
 * <p>To be asked about the very addresses that a connection is then opened to, so that a name cannot resolve to one address for
 * the check and to another for the connection.
 */
public final class AddressPolicy implements InetAddressFilter {

    /** Blocks that are nobody's public address, from the IANA registries of special-purpose addresses. */
    private static final InetAddressFilter SPECIAL_IPV4 = InetAddressFilter.of(
            "0.0.0.0/8", // this network
            "10.0.0.0/8", // private
            "100.64.0.0/10", // carrier-grade NAT
            "127.0.0.0/8", // loopback
            "168.63.129.16/32", // Azure's own services, in every virtual network there
            "169.254.0.0/16", // link-local, with the clouds' metadata services
            "172.16.0.0/12", // private
            "192.0.0.0/24", // protocol assignments
            "192.0.2.0/24", // documentation
            "192.88.99.0/24", // relays from IPv6, withdrawn
            "192.168.0.0/16", // private
            "198.18.0.0/15", // benchmarks between networks
            "198.51.100.0/24", // documentation
            "203.0.113.0/24", // documentation
            "224.0.0.0/4", // multicast
            "240.0.0.0/4"); // reserved, and broadcast

    /** All that IANA has given out for global unicast; the rest is special or nobody's. */
    private static final InetAddressFilter GLOBAL_IPV6 = InetAddressFilter.of("2000::/3");

    private static final InetAddressFilter SPECIAL_IPV6 = InetAddressFilter.of(
            "2001::/23", // protocol assignments, with tunnels (Teredo) to any IPv4
            "2001:db8::/32", // documentation
            "3fff::/20"); // documentation

    private static final InetAddressFilter NAT64 = InetAddressFilter.of("64:ff9b::/96");
    private static final InetAddressFilter SIX_TO_FOUR = InetAddressFilter.of("2002::/16");

    private static final Pattern DOTTED_DECIMAL = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");

    private final boolean privateAllowed;

    public AddressPolicy(boolean privateAllowed) {
        this.privateAllowed = privateAllowed;
    }

    /** Whether a connection may be opened to the address. */
    @Override
    public boolean matches(InetAddress address) {
        return privateAllowed || isPublic(address);
    }

    /**
     * The addresses, of those that a name resolved to, which may be connected to.
     *
     * @throws AddressRefusedException if there is none
     */
    List<InetAddress> admit(String host, List<InetAddress> resolved) throws AddressRefusedException {
        var admitted = resolved.stream().filter(this::matches).toList();
        if (admitted.isEmpty() && !resolved.isEmpty()) {
            throw new AddressRefusedException(host, resolved.getFirst());
        }
        return admitted;
    }

    /**
     * Checks a host that no resolver will be asked about: an address in digits, or {@code localhost}, which the JDK takes for
     * loopback when the resolver refuses it. Every other name is left to the resolver.
     *
     * @param host without the brackets of an IPv6 address
     * @throws UnknownHostException also for an IPv4 address that is not four decimal numbers: {@code 0177.0.0.1} is loopback to
     *     some and 177.0.0.1 to others
     */
    void checkUnresolved(String host) throws UnknownHostException {
        var looksLikeAddress = host.contains(":") || host.matches("(.*\\.)?(\\d+|0[xX][0-9a-fA-F]*)\\.?");
        if (looksLikeAddress
                && !host.contains(":")
                && !DOTTED_DECIMAL.matcher(host).matches()) {
            throw new UnknownHostException(host);
        }
        if (looksLikeAddress || host.equalsIgnoreCase("localhost")) {
            admit(host, List.of(InetAddress.getAllByName(host)));
        }
    }

    private static boolean isPublic(InetAddress address) {
        if (address instanceof Inet4Address) {
            return !SPECIAL_IPV4.matches(address);
        }
        // IPv6 addresses that lead to an IPv4 address within them are judged by that.
        if (NAT64.matches(address)) {
            return isPublic(embedded(address, 12));
        }
        if (SIX_TO_FOUR.matches(address) && !isPublic(embedded(address, 2))) {
            return false;
        }
        if (isIsatap(address) && !isPublic(embedded(address, 12))) {
            return false;
        }
        return GLOBAL_IPV6.matches(address) && !SPECIAL_IPV6.matches(address);
    }

    /** RFC 5214: an interface identifier of {@code 5efe} and an IPv4 address, whatever the prefix. */
    private static boolean isIsatap(InetAddress address) {
        var bytes = address.getAddress();
        return (bytes[8] & 0xfd) == 0 && bytes[9] == 0 && bytes[10] == 0x5e && bytes[11] == (byte) 0xfe;
    }

    private static InetAddress embedded(InetAddress address, int from) {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(address.getAddress(), from, from + 4));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address", e);
        }
    }
}
