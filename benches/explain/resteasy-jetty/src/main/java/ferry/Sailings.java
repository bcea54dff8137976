package ferry;

import org.asynchttpclient.Dsl;

/** Sailings of the day from the harbour, by AsyncHttpClient with few connections to a host. */
public final class Sailings {
    public static void main(String[] arguments) throws Exception {
        var client = Dsl.asyncHttpClient(Dsl.config()
                .setMaxConnectionsPerHost(Integer.getInteger("sailings.connections", 5))
                .setAcquireFreeChannelTimeout(20_000));
        var harbour = Ferry.HARBOUR.toString();
        Ferry.open(() -> {
            var answer = client.prepareGet(harbour).execute().get();
            return "sailings " + answer.getResponseBody().length();
        });
    }
}
