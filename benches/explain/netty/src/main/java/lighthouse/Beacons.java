package lighthouse;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The state of a beacon, asked for by handlers that may wait, on a group of executors of their own: a small one. */
public final class Beacons {
    public static void main(String[] arguments) {
        int threads = Integer.getInteger("beacons.handlers", 4);
        var handlers = new DefaultEventExecutorGroup(threads, new DefaultThreadFactory("beacons"));
        Tower.light(handlers, server -> {}, Beacons::answer);
    }

    private static void answer(ChannelHandlerContext context) {
        try (var body = Tower.OFFICE.toURL().openStream()) {
            Answers.write(context, "lit " + new String(body.readAllBytes(), StandardCharsets.UTF_8).length(), null);
        } catch (IOException e) {
            Answers.write(context, null, e);
        }
    }
}
