package railway.bikes;

import io.javalin.Javalin;
import io.javalin.http.Context;
import java.util.concurrent.Semaphore;

/** Spaces for bicycles on a train, by the computer that has kept them since the eighties. */
public final class BikeSpaces {
    private final Semaphore terminals = new Semaphore(Integer.getInteger("bikes.terminals", 5));
    private final HostComputer computer = new HostComputer(System.getProperty("upstream"));

    private void takeTerminal(Context context) throws InterruptedException {
        terminals.acquire();
        context.attribute("terminal", true);
    }

    private void spaces(Context context) throws Exception {
        var train = context.pathParam("train");
        context.contentType("application/json").result("{\"spaces\": " + computer.spaces(train) + "}");
    }

    private void returnTerminal(Context context) {
        if (context.attribute("terminal") != null) {
            terminals.release();
        }
    }

    public static void main(String[] arguments) {
        var service = new BikeSpaces();
        Javalin.create(config -> {
                    config.showJavalinBanner = false;
                    config.useVirtualThreads = true;
                })
                .before("/trains/*", service::takeTerminal)
                .get("/trains/{train}/bikes", service::spaces)
                .after("/trains/*", service::returnTerminal)
                .start("127.0.0.1", Integer.getInteger("server.port", 8080));
    }
}
