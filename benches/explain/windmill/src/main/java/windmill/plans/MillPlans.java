package windmill.plans;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.util.concurrent.DefaultEventExecutorGroup;
import io.netty.util.concurrent.EventExecutorGroup;
import java.nio.charset.StandardCharsets;

/** Healthy: plans for new mills, whose yield is simulated, by as many threads as there are processors. */
public class MillPlans {
    public static void main(String[] arguments) throws InterruptedException {
        EventExecutorGroup engineers =
                new DefaultEventExecutorGroup(Runtime.getRuntime().availableProcessors());
        var planner = new Planner();
        new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory()))
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec(), new HttpObjectAggregator(64_000))
                                .addLast(engineers, planner);
                    }
                })
                .bind("127.0.0.1", Integer.getInteger("server.port", 8080))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }

    @Sharable
    private static class Planner extends SimpleChannelInboundHandler<FullHttpRequest> {
        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            var text = "mean power %.3f".formatted(meanPower(20 + request.uri().length(), 30_000));
            var body = Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
            var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, body);
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            context.writeAndFlush(response);
        }

        /** The mean power of sails of that length over so many gusts. */
        private static double meanPower(int feet, int gusts) {
            double turning = 0;
            double power = 0;
            for (int gust = 0; gust < gusts; gust++) {
                double wind = 6 + 4 * Math.sin(gust / 17.0) + Math.cos(gust * 1.7);
                turning += (wind * feet / 40 - turning) * 0.05;
                power += Math.pow(turning, 2.7) / gusts;
            }
            return power;
        }
    }
}
