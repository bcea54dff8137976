package sawmill;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
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
import java.sql.SQLException;

/** Weights of trucks, on Netty by hand and a pool of HikariCP; limited by the event loops, which wait for queries. */
@ChannelHandler.Sharable
final class TruckScales extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final HikariDataSource pool;

    private TruckScales(HikariDataSource pool) {
        this.pool = pool;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) throws SQLException {
        var body = ("weight " + lastWeight(request.uri())).getBytes(StandardCharsets.UTF_8);
        var response =
                new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(body));
        response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.length);
        context.writeAndFlush(response);
    }

    private int lastWeight(String truck) throws SQLException {
        try (var connection = pool.getConnection();
                var query = connection.prepareStatement("SELECT max(kg) FROM weighing WHERE truck = ?")) {
            query.setString(1, truck);
            try (var rows = query.executeQuery()) {
                return rows.next() ? rows.getInt(1) : 0;
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        var settings = new HikariConfig();
        settings.setJdbcUrl("jdbc:ledger:" + Sawmill.EXCHANGE);
        settings.setMaximumPoolSize(64);
        var scales = new TruckScales(new HikariDataSource(settings));
        int workers = Integer.getInteger("scales.workers", 0);
        EventExecutorGroup group = workers == 0 ? null : new DefaultEventExecutorGroup(workers);
        new ServerBootstrap()
                .group(new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory()))
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline().addLast(new HttpServerCodec(), new HttpObjectAggregator(65_536));
                        channel.pipeline().addLast(group, scales);
                    }
                })
                .bind("127.0.0.1", Sawmill.PORT)
                .sync();
    }
}
