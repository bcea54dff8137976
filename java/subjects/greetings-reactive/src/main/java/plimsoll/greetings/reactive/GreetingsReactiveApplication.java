package plimsoll.greetings.reactive;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import plimsoll.greetings.Greeter;
import plimsoll.greetings.GreetingsProperties;

@SpringBootApplication
@EnableConfigurationProperties(GreetingsProperties.class)
@Import(Greeter.class)
public class GreetingsReactiveApplication {

    public static void main(String[] args) {
        SpringApplication.run(GreetingsReactiveApplication.class, args);
    }
}
