package press;

import org.apache.camel.builder.RouteBuilder;

/** Books to be bound, handed to a queue in memory that has few consumers, and waited for. */
public final class Bindery extends RouteBuilder {
    @Override
    public void configure() {
        from("platform-http:/").to("seda:bind?waitForTaskToComplete=Always");
        from("seda:bind?concurrentConsumers=" + Integer.getInteger("bindery.consumers", 2))
                .to(Press.mill("/glue"));
    }

    public static void main(String[] arguments) throws Exception {
        Press.open(new Bindery());
    }
}
