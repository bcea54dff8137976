package plimsoll.gateway.policy;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.Locale;
import plimsoll.gateway.call.CallFailure;
import plimsoll.gateway.call.Reason;

/** Decides which URLs may be called. The addresses of a name are left to the client's resolver, which asks {@link AddressPolicy}. */
public final class TargetPolicy {

    private final AllowedHosts allowedHosts;
    private final AddressPolicy addresses;

    public TargetPolicy(AllowedHosts allowedHosts, AddressPolicy addresses) {
        this.allowedHosts = allowedHosts;
        this.addresses = addresses;
    }

    /**
     * The URL to call, in ASCII and without a fragment.
     *
     * @throws CallFailure for a URL that cannot be called or may not be
     */
    public URI admit(String url) {
        var target = parse(url);
        var scheme = target.getScheme().toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw new CallFailure(Reason.NOT_ALLOWED, "only http and https are called, not " + scheme);
        }
        var host = bareHost(target);
        var port = target.getPort() >= 0 ? target.getPort() : scheme.equals("https") ? 443 : 80;
        if (!allowedHosts.allow(host, port)) {
            throw new CallFailure(
                    Reason.NOT_ALLOWED, "the host " + host + " at port " + port + " is not in gateway.allowed-hosts");
        }
        checkUnresolved(host);
        return withoutFragment(target, scheme);
    }

    private static URI parse(String url) {
        URI target;
        try {
            target = new URI(new URI(url.strip()).toASCIIString());
        } catch (URISyntaxException e) {
            throw new CallFailure(Reason.BAD_TARGET, "the target is no URL: " + e.getReason() + " at " + e.getIndex());
        }
        if (!target.isAbsolute() || target.isOpaque()) {
            throw new CallFailure(Reason.BAD_TARGET, "the target must be like https://host/path");
        }
        if (target.getRawUserInfo() != null) {
            throw new CallFailure(Reason.BAD_TARGET, "the target must not have user info");
        }
        if (target.getHost() == null) {
            throw new CallFailure(Reason.BAD_TARGET, "the target has no host that is a name or an address");
        }
        var port = target.getPort();
        // A colon without a number behind it reads as no port here, but not to everyone.
        if (port == 0 || port > 65_535 || target.getRawAuthority().endsWith(":")) {
            throw new CallFailure(Reason.BAD_TARGET, "the target's port must be 1 to 65535");
        }
        return target;
    }

    private static String bareHost(URI target) {
        var host = target.getHost().toLowerCase(Locale.ROOT);
        if (host.startsWith("[")) {
            return host.substring(1, host.length() - 1);
        }
        return host.endsWith(".") ? host.substring(0, host.length() - 1) : host;
    }

    private void checkUnresolved(String host) {
        try {
            addresses.checkUnresolved(host);
        } catch (AddressRefusedException e) {
            throw new CallFailure(Reason.NOT_ALLOWED, e.getMessage());
        } catch (UnknownHostException e) {
            throw new CallFailure(Reason.BAD_TARGET, "the target's host is no address: " + host);
        }
    }

    private static URI withoutFragment(URI target, String scheme) {
        var path = target.getRawPath().isEmpty() ? "/" : target.getRawPath();
        var query = target.getRawQuery() == null ? "" : "?" + target.getRawQuery();
        return URI.create(scheme + "://" + target.getRawAuthority() + path + query);
    }
}
