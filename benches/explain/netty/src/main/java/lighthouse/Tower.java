package lighthouse;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.util.concurrent.EventExecutorGroup;
import java.net.URI;
import java.util.function.Consumer;

/** A server by Netty, whose bootstrap and handlers a service chooses. */
final class Tower {
    static final URI OFFICE = URI.create(System.getProperty("upstream", "http://127.0.0.1:9"));
    static final String REDIS = System.getProperty("stub", "127.0.0.1:6379");
    static final MultiThreadIoEventLoopGroup LOOPS = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());

    private Tower() {}

    /** Handles requests on the loops where there are no handlers of their own. */
    static void light(
            EventExecutorGroup handlers, Consumer<ServerBootstrap> settings, Consumer<ChannelHandlerContext> keeper) {
        var server = new ServerBootstrap()
                .group(LOOPS)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_BACKLOG, 1_000)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(65_536));
                        channel.pipeline().addLast(handlers, "keeper", new Keeper(keeper));
                    }
                });
        settings.accept(server);
        server.bind("127.0.0.1", Integer.getInteger("server.port", 8080)).syncUninterruptibly();
    }

    private static final class Keeper extends SimpleChannelInboundHandler<FullHttpRequest> {
        private final Consumer<ChannelHandlerContext> answer;

        Keeper(Consumer<ChannelHandlerContext> answer) {
            this.answer = answer;
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
            answer.accept(context);
        }
    }
}
