package press;

import org.apache.camel.builder.RouteBuilder;

/** Front pages, by the worker threads that Vert.x has unless it is told otherwise: each waits for the mill. */
public final class FrontPage extends RouteBuilder {
    @Override
    public void configure() {
        from("platform-http:/").to(Press.mill("/front"));
    }

    public static void main(String[] arguments) throws Exception {
        Press.open(Integer.getInteger("press.workers", 20), new FrontPage());
    }
}
