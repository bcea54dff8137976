package sawmill;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.Semaphore;
import okhttp3.Interceptor;
import okhttp3.Response;

/** Keeps the calls to a partner few at a time. */
final class Courtesy implements Interceptor {
    private final Semaphore permits;

    Courtesy(int atOnce) {
        permits = new Semaphore(atOnce);
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        try {
            permits.acquire();
        } catch (InterruptedException e) {
            throw new InterruptedIOException("interrupted before the call");
        }
        try {
            return chain.proceed(chain.request());
        } finally {
            permits.release();
        }
    }
}
