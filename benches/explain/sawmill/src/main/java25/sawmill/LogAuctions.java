package sawmill;

import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import okhttp3.ConnectionPool;
import okhttp3.OkHttpClient;
import okhttp3.Request;

/** Bids for logs, on virtual threads and OkHttp; limited by the semaphore of an interceptor. */
final class LogAuctions {
    public static void main(String[] arguments) throws Exception {
        var client = new OkHttpClient.Builder()
                .connectionPool(new ConnectionPool(100, 5, TimeUnit.MINUTES))
                .addInterceptor(new Courtesy(Integer.getInteger("auctions.calls-at-once", 6)))
                .build();
        var bid = new Request.Builder().url(Sawmill.EXCHANGE).build();
        Sawmill.jdk(Executors.newVirtualThreadPerTaskExecutor(), () -> {
            try (var answer = client.newCall(bid).execute()) {
                return "bid " + answer.body().string().length();
            }
        });
    }
}
