package hotel;

import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.concurrent.CompletionStage;

/** Bottles of the minibar, counted with RxJava. */
@Path("/")
public final class Minibar {
    private final Scheduler scheduler = Boolean.getBoolean("minibar.io") ? Schedulers.io() : Schedulers.computation();

    private Minibar() {}

    @GET
    public CompletionStage<String> bottles() {
        return Single.fromCallable(Hotel::ask)
                .subscribeOn(scheduler)
                .map(bottles -> "bottles " + bottles.length())
                .toCompletionStage();
    }

    public static void main(String[] arguments) {
        Hotel.open(new Minibar());
    }
}
