package lighthouse;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.pool.AbstractChannelPoolHandler;
import io.netty.channel.pool.FixedChannelPool;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpClientCodec;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.AttributeKey;
import io.netty.util.concurrent.Future;

/** Where buoys are, from another service, by a pool of Netty's channels: a small one. */
public final class Buoys {
    /** The request that waits for what a channel receives. */
    private static final AttributeKey<ChannelHandlerContext> ASKER = AttributeKey.valueOf("asker");

    private static final class Channels extends AbstractChannelPoolHandler {
        FixedChannelPool pool;

        @Override
        public void channelCreated(Channel channel) {
            channel.pipeline().addLast(new HttpClientCodec(), new HttpObjectAggregator(65_536), new Reply(pool));
        }
    }

    private static final class Reply extends SimpleChannelInboundHandler<FullHttpResponse> {
        private final FixedChannelPool pool;

        Reply(FixedChannelPool pool) {
            this.pool = pool;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpResponse response) {
            var asker = context.channel().attr(ASKER).getAndSet(null);
            pool.release(context.channel());
            Answers.write(asker, "buoys " + response.content().readableBytes(), null);
        }
    }

    public static void main(String[] arguments) {
        var office = new Bootstrap()
                .group(Tower.LOOPS)
                .channel(NioSocketChannel.class)
                .remoteAddress(Tower.OFFICE.getHost(), Tower.OFFICE.getPort());
        var channels = new Channels();
        channels.pool = new FixedChannelPool(office, channels, Integer.getInteger("buoys.channels", 5));
        Tower.light(
                null,
                server -> {},
                context -> channels.pool.acquire().addListener((Future<Channel> acquired) -> ask(context, acquired)));
    }

    private static void ask(ChannelHandlerContext context, Future<Channel> acquired) {
        if (!acquired.isSuccess()) {
            Answers.write(context, null, acquired.cause());
            return;
        }
        var channel = acquired.getNow();
        channel.attr(ASKER).set(context);
        var request = new DefaultFullHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.GET, "/");
        request.headers().set(HttpHeaderNames.HOST, Tower.OFFICE.getAuthority());
        channel.writeAndFlush(request);
    }
}
