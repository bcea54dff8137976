package plimsoll.contract;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a gateway is made of.
 *
 * @param server {@code tomcat} or {@code netty}
 * @param virtualThreads whether Tomcat's threads are virtual ones
 * @param client as {@code gateway.client} has it
 */
record GatewayVariant(String server, boolean virtualThreads, String client) {

    private static final List<String> CLIENTS = List.of(
            "resttemplate-simple",
            "resttemplate-pooled",
            "restclient-jdk",
            "feign-default",
            "feign-hc5",
            "feign-okhttp",
            "webclient");

    private static final GatewayVariant NETTY = new GatewayVariant("netty", false, "webclient");

    /** Every client on every server that can have it. */
    static Stream<GatewayVariant> all() {
        return Stream.concat(everyClient(), CLIENTS.stream().map(client -> new GatewayVariant("tomcat", true, client)));
    }

    /** Each of the servers once. */
    static Stream<GatewayVariant> everyServer() {
        return Stream.of(new GatewayVariant("tomcat", false, "resttemplate-pooled"), NETTY);
    }

    /** Every client, and every server but for virtual threads. */
    static Stream<GatewayVariant> everyClient() {
        return Stream.concat(
                CLIENTS.stream().map(client -> new GatewayVariant("tomcat", false, client)), Stream.of(NETTY));
    }

    /**
     * Launches it with little memory, so that whatever is held without bound is found.
     *
     * @param purpose in the name of its log
     */
    RunningSubject launch(String purpose, List<String> jvmFlags, String... settings)
            throws IOException, InterruptedException {
        var flags = new ArrayList<>(List.of("-Xmx64m", "-XX:TieredStopAtLevel=1"));
        flags.addAll(jvmFlags);
        var all = new ArrayList<>(List.of("--gateway.server=" + server, "--gateway.client=" + client));
        all.add("--spring.threads.virtual.enabled=" + virtualThreads);
        all.addAll(List.of(settings));
        return RunningSubject.launch("gateway", "gateway-" + purpose + "-" + this, flags, all);
    }

    ClientLimits limits() {
        return new ClientLimits(client);
    }

    @Override
    public String toString() {
        return server + (virtualThreads ? "-virtual-" : "-") + client;
    }
}
