package plimsoll.contract;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/**
 * The parts of a gateway.
 *
 * @param client as {@code gateway.client} has it; it decides on the server
 * @param virtualThreads whether Tomcat's threads are virtual ones
 */
record GatewayVariant(String client, boolean virtualThreads) {

    /** Platform threads that carry virtual ones. */
    static final int CARRIERS = 2;

    private static final boolean IS_SLOW = Boolean.getBoolean("plimsoll.every-variant");

    private static final GatewayVariant SIMPLE = new GatewayVariant("resttemplate-simple", false);
    private static final GatewayVariant POOLED = new GatewayVariant("resttemplate-pooled", false);
    private static final GatewayVariant WEBCLIENT = new GatewayVariant("webclient", false);

    /** Every client, and virtual threads. */
    private static Stream<GatewayVariant> all() {
        return Stream.concat(everyClient(), Stream.of(new GatewayVariant("resttemplate-pooled", true)));
    }

    /** Each of the servers once. */
    static Stream<GatewayVariant> everyServer() {
        return Stream.of(POOLED, WEBCLIENT);
    }

    static Stream<GatewayVariant> everyClient() {
        return Stream.of(SIMPLE, POOLED, WEBCLIENT);
    }

    /** Every client, and every variant with {@code -Pslow}. */
    static Stream<GatewayVariant> clientsUnlessSlow() {
        return IS_SLOW ? all() : everyClient();
    }

    /** Each of the servers once, and every variant with {@code -Pslow}: for tests that take long. */
    static Stream<GatewayVariant> fewUnlessSlow() {
        return IS_SLOW ? all() : everyServer();
    }

    /**
     * Launches it with little memory and few carriers of virtual threads, so that whatever is held without bound is found.
     *
     * @param purpose in the name of its log
     */
    RunningSubject launch(String purpose, String... settings) throws IOException, InterruptedException {
        var flags = List.of("-Xmx64m", "-Djdk.virtualThreadScheduler.parallelism=" + CARRIERS);
        var own = List.of("--gateway.client=" + client, "--spring.threads.virtual.enabled=" + virtualThreads);
        var all = Stream.concat(own.stream(), Stream.of(settings)).toList();
        return RunningSubject.launch("gateway", "gateway-" + purpose + "-" + this, flags, all);
    }

    ClientLimits limits() {
        return new ClientLimits(client);
    }

    @Override
    public String toString() {
        return client + (virtualThreads ? "-virtual" : "");
    }
}
