package plimsoll.greetings.web;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Import;
import plimsoll.greetings.Greeter;
import plimsoll.greetings.GreetingsProperties;

@SpringBootApplication
@EnableConfigurationProperties(GreetingsProperties.class)
@Import(Greeter.class)
public class GreetingsWebApplication {

    public static void main(String[] args) {
        SpringApplication.run(GreetingsWebApplication.class, args);
    }
}
