package press;

import org.apache.camel.builder.RouteBuilder;

/** Proofs for readers, no more of them in a second than the contract says: a throttle delays the others. */
public final class Proofs extends RouteBuilder {
    @Override
    public void configure() {
        from("platform-http:/")
                .throttle(Long.getLong("proofs.per-second", 60))
                .timePeriodMillis(1_000)
                .setBody(constant("a proof"));
    }

    public static void main(String[] arguments) throws Exception {
        Press.open(new Proofs());
    }
}
