package plimsoll.gateway.blocking;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.time.Duration;
import java.util.List;
import okhttp3.Call;
import okhttp3.EventListener;
import okhttp3.Handshake;
import okhttp3.Protocol;
import plimsoll.gateway.call.CallTrace;
import plimsoll.gateway.call.CallTrace.Phase;

/** Tells the call what OkHttp did for it. Of several connections tried at once, the last word counts. */
final class OkHttpTrace extends EventListener {

    private final CallTrace trace;
    private volatile long dnsNanos;
    private volatile long connectNanos;
    private volatile long tlsNanos;

    OkHttpTrace(CallTrace trace) {
        this.trace = trace;
    }

    @Override
    public void dnsStart(Call call, String host) {
        dnsNanos = System.nanoTime();
    }

    @Override
    public void dnsEnd(Call call, String host, List<InetAddress> addresses) {
        took(Phase.DNS, dnsNanos);
    }

    @Override
    public void connectStart(Call call, InetSocketAddress address, Proxy proxy) {
        connectNanos = System.nanoTime();
    }

    @Override
    public void connectEnd(Call call, InetSocketAddress address, Proxy proxy, Protocol protocol) {
        if (tlsNanos == 0) {
            took(Phase.CONNECT, connectNanos);
        }
    }

    @Override
    public void secureConnectStart(Call call) {
        took(Phase.CONNECT, connectNanos);
        tlsNanos = System.nanoTime();
    }

    @Override
    public void secureConnectEnd(Call call, Handshake handshake) {
        took(Phase.TLS, tlsNanos);
    }

    private void took(Phase phase, long sinceNanos) {
        trace.took(phase, Duration.ofNanos(System.nanoTime() - sinceNanos));
    }
}
