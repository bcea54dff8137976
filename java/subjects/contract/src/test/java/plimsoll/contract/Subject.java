package plimsoll.contract;

import java.util.List;

/** Every program that must keep the contract, with the settings that could make it answer in another way. */
enum Subject {
    WEB("greetings-web"),
    WEB_WITH_VIRTUAL_THREADS("greetings-web", "--spring.threads.virtual.enabled=true"),
    REACTIVE("greetings-reactive");

    final String module;
    final List<String> settings;

    Subject(String module, String... settings) {
        this.module = module;
        this.settings = List.of(settings);
    }
}
