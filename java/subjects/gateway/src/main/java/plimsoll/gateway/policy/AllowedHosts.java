package plimsoll.gateway.policy;

import java.util.List;
import java.util.Locale;

/** The hosts that may be called, by name. An empty list allows nobody. */
public final class AllowedHosts {

    private final List<Rule> rules;

    /**
     * From patterns as {@code gateway.allowed-hosts} has them.
     *
     * @throws IllegalArgumentException if one of them means nothing
     */
    public AllowedHosts(List<String> patterns) {
        this.rules = patterns.stream().map(Rule::of).toList();
    }

    /** Whether the host, in lower case and without the brackets of an IPv6 address, may be called at the port. */
    boolean allow(String host, int port) {
        return rules.stream().anyMatch(rule -> rule.matches(host, port));
    }

    /** A host's name, {@code *.} and the end of one, or {@code *}; with a port or, as -1, any. */
    private record Rule(String host, int port) {

        private static final int ANY_PORT = -1;

        static Rule of(String pattern) {
            var text = pattern.strip().toLowerCase(Locale.ROOT);
            var colon = text.lastIndexOf(':');
            // The colons of a bare IPv6 address are no port's, those after its bracket are.
            var hasPort = colon >= 0 && (text.indexOf(':') == colon || text.charAt(colon - 1) == ']');
            var host = hasPort ? text.substring(0, colon) : text;
            var port = hasPort ? port(pattern, text.substring(colon + 1)) : ANY_PORT;
            if (host.startsWith("[") && host.endsWith("]")) {
                host = host.substring(1, host.length() - 1);
            }
            var name = host.startsWith("*.") ? host.substring(2) : host;
            if (name.isEmpty() || (name.contains("*") && !host.equals("*"))) {
                throw refused(pattern);
            }
            return new Rule(host, port);
        }

        private static int port(String pattern, String text) {
            try {
                var port = Integer.parseInt(text);
                if (port >= 1 && port <= 65_535) {
                    return port;
                }
            } catch (NumberFormatException e) {
                // Refused below, as a number out of range is.
            }
            throw refused(pattern);
        }

        private static IllegalArgumentException refused(String pattern) {
            return new IllegalArgumentException("gateway.allowed-hosts takes a host's name, *.example.com or *, with or"
                    + " without :port, but has '" + pattern + "'");
        }

        boolean matches(String asked, int askedPort) {
            if (port != ANY_PORT && port != askedPort) {
                return false;
            }
            if (host.startsWith("*.")) {
                return asked.endsWith(host.substring(1)) && asked.length() > host.length() - 1;
            }
            return host.equals("*") || host.equals(asked);
        }
    }
}
