package cinema.gifts;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.core5.http.io.entity.EntityUtils;

/** Compares all cards with the accounts, shop by shop and again, over the one line that the accountants allow. */
class Accounts {
    private static final int SHOPS = 8;

    private final CloseableHttpClient client;
    private final String address;

    Accounts(String address) {
        this.address = address;
        var connections = new PoolingHttpClientConnectionManager();
        connections.setDefaultMaxPerRoute(1);
        client = HttpClients.custom().setConnectionManager(connections).build();
    }

    void begin() {
        for (int shop = 0; shop < SHOPS; shop++) {
            int compared = shop;
            var accounts = new Thread(() -> compare(compared), "accounts-" + shop);
            accounts.setDaemon(true);
            accounts.start();
        }
    }

    private void compare(int shop) {
        for (int card = 0; card < Integer.MAX_VALUE; card++) {
            try {
                client.execute(new HttpGet(address + "/accounts/" + shop + "/" + card), response -> {
                    EntityUtils.consume(response.getEntity());
                    return response.getCode();
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
