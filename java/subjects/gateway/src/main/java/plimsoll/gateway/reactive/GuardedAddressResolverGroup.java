package plimsoll.gateway.reactive;

import io.netty.channel.EventLoop;
import io.netty.resolver.AddressResolver;
import io.netty.resolver.NameResolver;
import io.netty.resolver.SimpleNameResolver;
import io.netty.resolver.dns.DnsAddressResolverGroup;
import io.netty.resolver.dns.DnsNameResolverBuilder;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import io.netty.util.concurrent.Promise;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import plimsoll.gateway.policy.AddressPolicy;

/** Reactor Netty's resolver: it connects to nothing but what this returns. */
final class GuardedAddressResolverGroup extends DnsAddressResolverGroup {

    private final AddressPolicy addresses;

    GuardedAddressResolverGroup(DnsNameResolverBuilder builder, AddressPolicy addresses) {
        super(builder);
        this.addresses = addresses;
    }

    @Override
    protected AddressResolver<InetSocketAddress> newAddressResolver(
            EventLoop eventLoop, NameResolver<InetAddress> resolver) throws Exception {
        return super.newAddressResolver(eventLoop, new Guarded(eventLoop, resolver));
    }

    private final class Guarded extends SimpleNameResolver<InetAddress> {

        private final NameResolver<InetAddress> resolver;

        Guarded(EventExecutor executor, NameResolver<InetAddress> resolver) {
            super(executor);
            this.resolver = resolver;
        }

        @Override
        protected void doResolve(String host, Promise<InetAddress> promise) {
            resolveAll(host).addListener((Future<List<InetAddress>> all) -> {
                if (all.isSuccess()) {
                    promise.setSuccess(all.getNow().getFirst());
                } else {
                    promise.setFailure(all.cause());
                }
            });
        }

        @Override
        protected void doResolveAll(String host, Promise<List<InetAddress>> promise) {
            resolver.resolveAll(host).addListener((Future<List<InetAddress>> all) -> {
                if (all.isSuccess()) {
                    admit(host, all.getNow(), promise);
                } else {
                    promise.setFailure(all.cause());
                }
            });
        }

        private void admit(String host, List<InetAddress> resolved, Promise<List<InetAddress>> promise) {
            try {
                promise.setSuccess(addresses.admit(host, resolved));
            } catch (UnknownHostException refused) {
                promise.setFailure(refused);
            }
        }

        @Override
        public void close() {
            resolver.close();
        }
    }
}
