package plimsoll.gateway.policy;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.net.spi.InetAddressResolver;
import java.net.spi.InetAddressResolverProvider;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

/**
 * The JVM's own resolver with {@link AddressPolicy} in it. {@code HttpURLConnection} and the JDK's {@code HttpClient} have no resolver
 * of their own that could be replaced, so their addresses are checked here, where they come from.
 *
 * <p>The JVM finds this class by {@code META-INF/services}. Until {@link #arm} is called it refuses private addresses, so that none
 * is in the JVM's cache that the gateway's policy would not have let in.
 */
public final class ResolverGuard extends InetAddressResolverProvider {

    private static final AtomicBoolean LOADED = new AtomicBoolean();
    private static volatile AddressPolicy policy = new AddressPolicy(false);

    /**
     * From now on resolves names as the policy allows.
     *
     * @throws IllegalStateException if the JVM has another resolver
     */
    public static void arm(AddressPolicy addresses) {
        try {
            InetAddress.getByName("localhost");
        } catch (UnknownHostException e) {
            throw new IllegalStateException("not even localhost can be resolved", e);
        }
        if (!LOADED.get()) {
            throw new IllegalStateException(
                    "the JVM has a resolver that is not the gateway's, so addresses cannot be checked; is"
                            + " jdk.net.hosts.file set?");
        }
        policy = addresses;
    }

    @Override
    public InetAddressResolver get(Configuration configuration) {
        LOADED.set(true);
        return new Guarded(configuration.builtinResolver());
    }

    @Override
    public String name() {
        return "plimsoll gateway";
    }

    private record Guarded(InetAddressResolver builtin) implements InetAddressResolver {

        @Override
        public Stream<InetAddress> lookupByName(String host, LookupPolicy lookup) throws UnknownHostException {
            return policy.admit(host, builtin.lookupByName(host, lookup).toList()).stream();
        }

        @Override
        public String lookupByAddress(byte[] address) throws UnknownHostException {
            return builtin.lookupByAddress(address);
        }
    }
}
