package press;

import org.apache.camel.builder.RouteBuilder;

/** Prices of paper from the mill, by the client of Camel as it is: twenty connections for each host. */
public final class PaperPrices extends RouteBuilder {
    @Override
    public void configure() {
        from("platform-http:/")
                .to(Press.MILL + "/prices?bridgeEndpoint=true&connectionsPerRoute="
                        + Integer.getInteger("paper.connections", 20));
    }

    public static void main(String[] arguments) throws Exception {
        Press.open(new PaperPrices());
    }
}
