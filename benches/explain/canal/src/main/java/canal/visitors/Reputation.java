package canal.visitors;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** A list that is asked by names, the address backwards: 127.0.0.2 and above means that it is on the list. */
class Reputation {
    private static final String ZONE = System.getProperty("reputation.zone", "listed.canal.plant");
    private static final boolean BY_NETWORK = Boolean.getBoolean("reputation.by-network");

    boolean allows(byte[] address) {
        try {
            var found = InetAddress.getByName(nameOf(address)).getAddress();
            return found[3] < 2;
        } catch (UnknownHostException e) {
            return true;
        }
    }

    private static String nameOf(byte[] address) {
        var name = new StringBuilder();
        for (int i = BY_NETWORK ? 0 : address.length - 1; i >= 0; i--) {
            name.append(address[i] & 0xff).append('.');
        }
        return name.append(ZONE).toString();
    }
}
