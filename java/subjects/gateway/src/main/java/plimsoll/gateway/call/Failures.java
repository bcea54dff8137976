package plimsoll.gateway.call;

import static plimsoll.gateway.call.Reason.CLOSED;
import static plimsoll.gateway.call.Reason.CONNECT_REFUSED;
import static plimsoll.gateway.call.Reason.CONNECT_TIMEOUT;
import static plimsoll.gateway.call.Reason.FAILED;
import static plimsoll.gateway.call.Reason.LEASE_TIMEOUT;
import static plimsoll.gateway.call.Reason.NOT_ALLOWED;
import static plimsoll.gateway.call.Reason.PROTOCOL;
import static plimsoll.gateway.call.Reason.RESET;
import static plimsoll.gateway.call.Reason.RESPONSE_TIMEOUT;
import static plimsoll.gateway.call.Reason.TLS;
import static plimsoll.gateway.call.Reason.UNKNOWN_HOST;
import static plimsoll.gateway.call.Reason.UNREACHABLE;

import io.netty.handler.ssl.SslHandshakeTimeoutException;
import java.io.EOFException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.security.cert.CertificateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import javax.net.ssl.SSLException;
import org.apache.hc.client5.http.ClientProtocolException;
import org.apache.hc.core5.http.ConnectionClosedException;
import org.apache.hc.core5.http.ConnectionRequestTimeoutException;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.NoHttpResponseException;
import org.springframework.boot.http.client.FilteredHostException;
import plimsoll.gateway.policy.AddressRefusedException;
import reactor.netty.http.client.PrematureCloseException;

/** Finds the reason in what a client threw. Every client says the same in other words. */
public final class Failures {

    /** The first rule that fits decides: a timeout during a handshake is a timeout, a reset during it a matter of TLS. */
    private static final List<Rule> RULES = List.of(
            new Rule(NOT_ALLOWED, is(AddressRefusedException.class).or(is(FilteredHostException.class))),
            new Rule(UNKNOWN_HOST, is(UnknownHostException.class).or(is(UnresolvedAddressException.class))),
            new Rule(
                    LEASE_TIMEOUT,
                    // Reactor Netty's own exception for it is not public.
                    is(ConnectionRequestTimeoutException.class).or(says("pool#acquire"))),
            new Rule(
                    CONNECT_TIMEOUT,
                    is(org.apache.hc.client5.http.ConnectTimeoutException.class)
                            .or(is(io.netty.channel.ConnectTimeoutException.class))
                            .or(is(SslHandshakeTimeoutException.class))
                            .or(is(InterruptedIOException.class).and(says("connect")))),
            new Rule(
                    RESPONSE_TIMEOUT,
                    is(InterruptedIOException.class)
                            .or(is(TimeoutException.class))
                            .or(is(io.netty.handler.timeout.TimeoutException.class))),
            new Rule(TLS, is(SSLException.class).or(is(CertificateException.class))),
            new Rule(UNREACHABLE, is(NoRouteToHostException.class).or(says("unreachable"))),
            new Rule(RESET, is(ConnectException.class).and(says("connection reset"))),
            new Rule(CONNECT_REFUSED, is(ConnectException.class)),
            new Rule(
                    CLOSED,
                    is(EOFException.class)
                            .or(is(NoHttpResponseException.class))
                            .or(is(ConnectionClosedException.class))
                            .or(is(PrematureCloseException.class))
                            .or(is(ClosedChannelException.class))
                            .or(says("unexpected end"))
                            .or(says("premature"))
                            .or(says("error writing to server"))),
            new Rule(RESET, says("connection reset").or(says("broken pipe"))),
            new Rule(
                    PROTOCOL,
                    is(java.net.ProtocolException.class)
                            .or(is(ClientProtocolException.class))
                            .or(is(HttpException.class))
                            .or(is(MessageConstraintException.class))
                            .or(is(io.netty.handler.codec.CodecException.class))
                            .or(is(NumberFormatException.class))
                            // HttpURLConnection reads each interim answer one call deeper.
                            .or(is(StackOverflowError.class))
                            .or(says("invalid http"))
                            .or(says("invalid status"))
                            .or(says("chunk"))
                            // HttpURLConnection of chunks, and of trailers.
                            .or(says("missing cr"))
                            .or(says("missing lf"))
                            .or(says("lf should be"))
                            .or(says("malformed tailer"))
                            .or(is(IllegalArgumentException.class))),
            new Rule(CLOSED, says("closed")));

    private Failures() {}

    /** The failure that the throwable, or one of its causes, is a sign of. */
    public static CallFailure of(Throwable thrown) {
        var chain = chain(thrown);
        if (chain.getLast() instanceof CallFailure failure) {
            return failure;
        }
        for (var rule : RULES) {
            for (var link : chain) {
                if (rule.sign().test(link)) {
                    return new CallFailure(rule.reason(), describe(link), thrown);
                }
            }
        }
        return new CallFailure(FAILED, describe(chain.getLast()), thrown);
    }

    private static List<Throwable> chain(Throwable thrown) {
        var chain = new ArrayList<Throwable>();
        for (var link = thrown; link != null && chain.size() < 20; link = link.getCause()) {
            chain.add(link);
            if (link instanceof CallFailure) {
                break;
            }
        }
        return chain;
    }

    private static String describe(Throwable thrown) {
        var name = thrown.getClass().getSimpleName();
        return thrown.getMessage() == null ? name : name + ": " + thrown.getMessage();
    }

    private static Predicate<Throwable> is(Class<? extends Throwable> kind) {
        return kind::isInstance;
    }

    private static Predicate<Throwable> says(String words) {
        return thrown -> thrown.getMessage() != null
                && thrown.getMessage().toLowerCase(Locale.ROOT).contains(words);
    }

    private record Rule(Reason reason, Predicate<Throwable> sign) {}
}
