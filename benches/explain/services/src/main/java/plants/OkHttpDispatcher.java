package plants;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;

/** OkHttp's asynchronous calls, of which its dispatcher makes 5 per host at once. */
final class OkHttpDispatcher {
    public static void main(String[] arguments) throws Exception {
        var client = new OkHttpClient();
        client.dispatcher().setMaxRequestsPerHost(Integer.getInteger("per-host", 5));
        client.dispatcher().setMaxRequests(Serve.ROOM);
        var request = new Request.Builder().url(Upstream.URL.toString()).build();
        Serve.jetty(path -> {
            var answer = new CompletableFuture<String>();
            client.newCall(request).enqueue(new Callback() {
                @Override
                public void onFailure(Call call, IOException e) {
                    answer.completeExceptionally(e);
                }

                @Override
                public void onResponse(Call call, Response response) throws IOException {
                    answer.complete(response.body().string());
                }
            });
            return answer.get();
        });
    }
}
