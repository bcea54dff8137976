package railway.seats;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

class Operators {
    private static final int IDLE_CONNECTIONS = 100;

    private final OkHttpClient client;
    private final String address;

    Operators(String address) {
        this.address = address;
        client = new OkHttpClient.Builder()
                .connectionPool(new ConnectionPool(IDLE_CONNECTIONS, 5, TimeUnit.MINUTES))
                .readTimeout(10, TimeUnit.SECONDS)
                .build();
        var atOnce = Integer.getInteger("operators.calls-at-once");
        if (atOnce != null) {
            client.dispatcher().setMaxRequestsPerHost(atOnce);
        }
    }

    CompletableFuture<String> plan(String train, String coach) {
        var request = new Request.Builder().url(address + "/trains/" + train + "/" + coach);
        var plan = new CompletableFuture<String>();
        client.newCall(request.build()).enqueue(new Callback() {
            @Override
            public void onResponse(Call call, Response response) throws IOException {
                try (response) {
                    plan.complete(response.body().string());
                }
            }

            @Override
            public void onFailure(Call call, IOException failure) {
                plan.completeExceptionally(failure);
            }
        });
        return plan;
    }
}
