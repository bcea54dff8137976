package depot;

import org.apache.catalina.LifecycleException;
import org.apache.catalina.valves.SemaphoreValve;

/** Plans of the seats in a tram, of which Tomcat's SemaphoreValve lets few be drawn at once. */
public final class SeatPlan {
    public static void main(String[] arguments) throws LifecycleException {
        Depot.tomcat(
                (connector, context) -> {
                    var valve = new SemaphoreValve();
                    valve.setConcurrency(Integer.getInteger("seats.concurrency", 6));
                    context.getPipeline().addValve(valve);
                },
                () -> "seats " + Depot.askControl().length());
    }
}
