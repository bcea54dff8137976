package hospital;

import java.util.concurrent.CompletionStage;
import org.apache.catalina.LifecycleException;

/** Free beds of each ward, which the wards' own system knows. */
public final class BedPlans extends Ward {
    private static final long serialVersionUID = 1;

    @Override
    CompletionStage<String> answer(String ward) {
        return ask("/wards/" + ward + "/beds").thenApply(beds -> beds.length() % 7 + " beds are free in " + ward);
    }

    public static void main(String[] arguments) throws LifecycleException {
        Reception.openTomcat(new BedPlans(), connector -> {
            connector.setProperty("maxThreads", "20");
            connector.setProperty("maxConnections", System.getProperty("beds.max-connections", "10"));
        });
    }
}
