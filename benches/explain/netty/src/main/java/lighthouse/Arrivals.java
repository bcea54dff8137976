package lighthouse;

import io.netty.channel.ChannelOption;

/** Ships that arrive, each by a connection of its own; the listen queue was made short. */
public final class Arrivals {
    public static void main(String[] arguments) {
        int backlog = Integer.getInteger("arrivals.backlog", 1);
        Tower.light(
                null,
                server -> server.option(ChannelOption.SO_BACKLOG, backlog),
                context -> Answers.write(context, "arrived", null));
    }
}
