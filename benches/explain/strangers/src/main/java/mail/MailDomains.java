package mail;

import java.io.IOException;
import java.util.Hashtable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.naming.Context;
import javax.naming.NamingException;
import javax.naming.directory.InitialDirContext;
import support.Plain;

/** Says whether an address can be right, by asking DNS for the mail servers of its domain, through JNDI. */
public final class MailDomains {
    private static final boolean REMEMBERS = Boolean.getBoolean("mail.remember");
    private static final String DOMAIN = "post.example";

    public static void main(String[] arguments) throws IOException {
        Map<String, String> remembered = new ConcurrentHashMap<>();
        Plain.serve(60, () -> {
            var known = REMEMBERS ? remembered.get(DOMAIN) : null;
            var found = known == null ? servers(DOMAIN) : known;
            remembered.put(DOMAIN, found);
            return "mail for " + DOMAIN + ": " + found;
        });
    }

    private static String servers(String domain) throws NamingException {
        var settings = new Hashtable<String, String>();
        settings.put(Context.INITIAL_CONTEXT_FACTORY, "com.sun.jndi.dns.DnsContextFactory");
        settings.put(Context.PROVIDER_URL, "dns://127.0.0.1");
        var names = new InitialDirContext(settings);
        try {
            return names.getAttributes(domain, new String[] {"MX"}).toString();
        } finally {
            names.close();
        }
    }
}
