package plimsoll.gateway.policy;

import io.netty.util.NetUtil;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Which addresses may be connected to. Only public ones, unless private ones are allowed: a gateway must not be a way into the
 * network that it stands in, whatever a name resolves to.
 *
 * <p>To be asked about the very addresses that a connection is then opened to, so that a name cannot resolve to one address for
 * the check and to another for the connection.
 */
public final class AddressPolicy {

    /** Blocks that are nobody's public address, from the IANA registries of special-purpose addresses. */
    private static final List<Block> SPECIAL = List.of(
            Block.of("0.0.0.0/8"), // this network
            Block.of("10.0.0.0/8"), // private
            Block.of("100.64.0.0/10"), // carrier-grade NAT
            Block.of("127.0.0.0/8"), // loopback
            Block.of("169.254.0.0/16"), // link-local, with the clouds' metadata services
            Block.of("172.16.0.0/12"), // private
            Block.of("192.0.0.0/24"), // protocol assignments
            Block.of("192.0.2.0/24"), // documentation
            Block.of("192.88.99.0/24"), // relays from IPv6, withdrawn
            Block.of("192.168.0.0/16"), // private
            Block.of("198.18.0.0/15"), // benchmarks between networks
            Block.of("198.51.100.0/24"), // documentation
            Block.of("203.0.113.0/24"), // documentation
            Block.of("224.0.0.0/4"), // multicast
            Block.of("240.0.0.0/4"), // reserved, and broadcast
            Block.of("::/96"), // unspecified, loopback and, long withdrawn, IPv4 in compatible form
            Block.of("::ffff:0:0/96"), // IPv4 in mapped form, as far as the JDK leaves it so
            Block.of("64:ff9b:1::/48"), // translation to private IPv4
            Block.of("100::/64"), // discarded
            Block.of("2001::/23"), // protocol assignments, with tunnels to any IPv4
            Block.of("2001:db8::/32"), // documentation
            Block.of("3fff::/20"), // documentation
            Block.of("5f00::/16"), // segment routing
            Block.of("fc00::/7"), // unique local
            Block.of("fe80::/10"), // link-local
            Block.of("fec0::/10"), // site-local, withdrawn
            Block.of("ff00::/8")); // multicast

    private static final Block NAT64 = Block.of("64:ff9b::/96");
    private static final Block SIX_TO_FOUR = Block.of("2002::/16");

    private static final Pattern DOTTED_DECIMAL = Pattern.compile("(0|[1-9][0-9]{0,2})(\\.(0|[1-9][0-9]{0,2})){3}");

    private final boolean privateAllowed;

    public AddressPolicy(boolean privateAllowed) {
        this.privateAllowed = privateAllowed;
    }

    /** Whether a connection may be opened to the address. */
    public boolean allows(InetAddress address) {
        return privateAllowed || isPublic(address.getAddress());
    }

    /**
     * Those of the addresses that a name resolved to which may be connected to.
     *
     * @throws AddressRefusedException if there is none
     */
    public List<InetAddress> admit(String host, List<InetAddress> resolved) throws AddressRefusedException {
        var admitted = resolved.stream().filter(this::allows).toList();
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
    public void checkUnresolved(String host) throws UnknownHostException {
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

    private static boolean isPublic(byte[] address) {
        if (SPECIAL.stream().anyMatch(block -> block.contains(address))) {
            return false;
        }
        // IPv6 addresses that lead to the IPv4 address within them are judged by that.
        if (NAT64.contains(address)) {
            return isPublic(slice(address, 12));
        }
        return !SIX_TO_FOUR.contains(address) || isPublic(slice(address, 2));
    }

    private static byte[] slice(byte[] address, int from) {
        return new byte[] {address[from], address[from + 1], address[from + 2], address[from + 3]};
    }

    /** The addresses that share their first bits; IPv4 and IPv6 never mix. */
    private record Block(byte[] start, int bits) {

        static Block of(String text) {
            var slash = text.indexOf('/');
            return new Block(
                    NetUtil.createByteArrayFromIpAddressString(text.substring(0, slash)),
                    Integer.parseInt(text.substring(slash + 1)));
        }

        boolean contains(byte[] address) {
            if (address.length != start.length) {
                return false;
            }
            var whole = bits / 8;
            for (var i = 0; i < whole; i++) {
                if (address[i] != start[i]) {
                    return false;
                }
            }
            var rest = bits % 8;
            return rest == 0 || (address[whole] & 0xff) >> (8 - rest) == (start[whole] & 0xff) >> (8 - rest);
        }
    }
}
