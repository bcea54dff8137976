package plimsoll.greetings;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/** Greets people by name with a phrase drawn at random. */
public class Greeter {

    private final List<String> phrases;

    public Greeter(GreetingsProperties properties) {
        this.phrases = properties.phrases();
    }

    public String greet(String name) {
        var phrase = phrases.get(ThreadLocalRandom.current().nextInt(phrases.size()));
        return phrase + ", " + name + "!";
    }
}
