package greenhouse;

/** Readings of sensors, with a limit on connections: others wait in the listen queue until one is closed. */
public final class Sensors {
    public static void main(String[] arguments) {
        House.server()
                .maxTcpConnections(Integer.getInteger("sensors.connections", 10))
                .routing(routing -> routing.get(
                        "/",
                        (request, response) ->
                                response.send("reading " + House.ask("reading").length())))
                .build()
                .start();
    }
}
