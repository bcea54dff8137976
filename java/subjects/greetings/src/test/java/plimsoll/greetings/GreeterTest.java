package plimsoll.greetings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GreeterTest {

    @Test
    void everyPhraseHasItsTurn() {
        var greeter = new Greeter(new GreetingsProperties(Duration.ZERO, List.of("Hello", "Ahoy")));

        var greetings =
                IntStream.range(0, 200).mapToObj(i -> greeter.greet("Ada")).collect(Collectors.toSet());

        assertThat(greetings).containsExactlyInAnyOrder("Hello, Ada!", "Ahoy, Ada!");
    }

    @Test
    void settingsThatCannotWorkAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GreetingsProperties(Duration.ofMillis(-1), List.of("Hello")))
                .withMessageContaining("greetings.wait");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new GreetingsProperties(Duration.ZERO, List.of()))
                .withMessageContaining("greetings.phrases");
    }
}
