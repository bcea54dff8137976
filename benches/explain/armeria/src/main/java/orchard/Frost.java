package orchard;

/** Whether there will be frost, from a service far away. */
public final class Frost {
    public static void main(String[] arguments) {
        var forecast = Orchard.market().build();
        Orchard.server()
                .service(
                        "/",
                        (context, request) -> Orchard.later(forecast.get("/").aggregate()))
                .build()
                .start()
                .join();
    }
}
