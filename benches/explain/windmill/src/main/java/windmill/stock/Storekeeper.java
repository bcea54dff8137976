package windmill.stock;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.Flow;

class Storekeeper implements Flow.Subscriber<Enquiry> {
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final URI store;
    private final long ahead;
    private Flow.Subscription subscription;

    Storekeeper(URI store, long ahead) {
        this.store = store;
        this.ahead = ahead;
    }

    @Override
    public void onSubscribe(Flow.Subscription subscription) {
        this.subscription = subscription;
        subscription.request(ahead);
    }

    @Override
    public void onNext(Enquiry enquiry) {
        var question = HttpRequest.newBuilder(store.resolve("/stock/" + enquiry.flour()))
                .build();
        http.sendAsync(question, BodyHandlers.ofString()).whenComplete((answer, error) -> {
            if (error == null) {
                enquiry.told().complete(enquiry.flour() + ": " + answer.body().length());
            } else {
                enquiry.told().completeExceptionally(error);
            }
            subscription.request(1);
        });
    }

    @Override
    public void onError(Throwable error) {
        System.getLogger("stock").log(System.Logger.Level.ERROR, "no more enquiries", error);
    }

    @Override
    public void onComplete() {
        // The mill is closed.
    }
}
