package hotel;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.Timer;
import java.util.TimerTask;

/** Healthy: guests ask for a call, while a timer works off many more calls than it can make in time. */
@Path("/")
public final class WakeUpCalls {
    private WakeUpCalls() {}

    @GET
    public String order() {
        return "noted " + Hotel.ask().length();
    }

    private static TimerTask call() {
        return new TimerTask() {
            @Override
            public void run() {
                Hotel.ask();
            }
        };
    }

    public static void main(String[] arguments) {
        var clock = new Timer("clock", true);
        for (int room = 0; room < 300; room++) {
            clock.scheduleAtFixedRate(call(), 0, 1_000);
        }
        Hotel.open(new WakeUpCalls());
    }
}
