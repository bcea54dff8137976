package ferry;

import io.reactivex.rxjava3.core.Scheduler;
import io.reactivex.rxjava3.core.Single;
import io.reactivex.rxjava3.schedulers.Schedulers;

/** Rosters of the crew by RxJava, which fetches them on its scheduler for computations. */
public final class CrewRosters {
    public static void main(String[] arguments) throws Exception {
        var scheduler = scheduler(System.getProperty("rosters.scheduler", "computation"));
        Ferry.open(() -> Single.fromCallable(Ferry::askHarbour)
                .subscribeOn(scheduler)
                .map(roster -> "roster " + roster.length())
                .blockingGet());
    }

    private static Scheduler scheduler(String name) {
        return name.equals("io") ? Schedulers.io() : Schedulers.computation();
    }
}
