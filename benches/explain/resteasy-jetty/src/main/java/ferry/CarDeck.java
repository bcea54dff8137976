package ferry;

import org.eclipse.jetty.server.handler.QoSHandler;

/** Places on the car deck, behind Jetty's handler for quality of service, which lets few requests in at a time. */
public final class CarDeck {
    public static void main(String[] arguments) throws Exception {
        var lanes = Integer.getInteger("deck.lanes", 5);
        Ferry.open(
                context -> {
                    var marshal = new QoSHandler(context);
                    marshal.setMaxRequestCount(lanes);
                    return marshal;
                },
                () -> "place " + Ferry.askHarbour().length());
    }
}
