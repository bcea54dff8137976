package press;

import org.apache.camel.builder.RouteBuilder;

/** Healthy: editions of today, while old ones wait by the hundred for the one that scans them. */
public final class OldPapers extends RouteBuilder {
    @Override
    public void configure() {
        from("platform-http:/").to(Press.mill("/editions"));
        from("timer:old?period=5").to("seda:scan?size=500&discardWhenFull=true");
        from("seda:scan?size=500").delay(400).setBody(constant("scanned"));
    }

    public static void main(String[] arguments) throws Exception {
        Press.open(new OldPapers());
    }
}
