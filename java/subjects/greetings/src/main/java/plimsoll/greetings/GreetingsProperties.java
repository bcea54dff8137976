package plimsoll.greetings;

import java.time.Duration;
import java.util.List;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;

/**
 * Settings of a greetings service.
 *
 * @param pause how long each greeting takes, as if a slow system had been asked; its property is {@code greetings.wait}, a
 *     name that {@link Object#wait()} keeps from a record component
 * @param phrases what to greet with, chosen at random; with a single phrase every answer is the same
 */
@ConfigurationProperties("greetings")
public record GreetingsProperties(
        @Name("wait") @DefaultValue("1s") Duration pause,

        @DefaultValue({"Hello", "Hi", "Welcome", "Good to see you", "Ahoy"})
        List<String> phrases) {

    public GreetingsProperties {
        if (pause.isNegative()) {
            throw new IllegalArgumentException("greetings.wait must not be negative, but is " + pause);
        }
        if (phrases.isEmpty()) {
            throw new IllegalArgumentException("greetings.phrases must name at least one phrase");
        }
    }
}
