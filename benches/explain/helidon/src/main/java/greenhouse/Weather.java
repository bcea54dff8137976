package greenhouse;

/** The forecast of a station that is far away. */
public final class Weather {
    public static void main(String[] arguments) {
        House.open((request, response) ->
                response.send("forecast of " + House.ask("forecast").length()));
    }
}
