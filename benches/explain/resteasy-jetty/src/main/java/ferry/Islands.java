package ferry;

import com.google.api.client.http.GenericUrl;
import com.google.api.client.http.HttpRequestFactory;
import com.google.api.client.http.javanet.NetHttpTransport;
import java.io.IOException;

/** Weather of all islands on the route, which Google's client asks for one by one. */
public final class Islands {
    private static final int ISLANDS = Boolean.getBoolean("islands.together") ? 1 : 12;

    public static void main(String[] arguments) throws Exception {
        var requests = new NetHttpTransport().createRequestFactory();
        Ferry.open(() -> "weather " + weather(requests));
    }

    private static int weather(HttpRequestFactory requests) throws IOException {
        int letters = 0;
        for (int island = 0; island < ISLANDS; island++) {
            var url = new GenericUrl(Ferry.HARBOUR.resolve("/weather/" + island));
            letters += requests.buildGetRequest(url).execute().parseAsString().length();
        }
        return letters;
    }
}
