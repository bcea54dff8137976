package windmill.stock;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import java.net.URI;
import java.util.concurrent.Executors;
import java.util.concurrent.SubmissionPublisher;

/** Stock of the mill: a subscriber to enquiries asks the store, and requests the next one then. */
public class MillStock {
    public static void main(String[] arguments) throws InterruptedException {
        var enquiries = new SubmissionPublisher<Enquiry>(
                Executors.newFixedThreadPool(2, r -> new Thread(r, "enquiries")), 1024);
        enquiries.subscribe(
                new Storekeeper(URI.create(System.getProperty("upstream")), Long.getLong("stock.ahead", 3)));

        var loops = new MultiThreadIoEventLoopGroup(NioIoHandler.newFactory());
        new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .childHandler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        channel.pipeline()
                                .addLast(new HttpServerCodec())
                                .addLast(new HttpObjectAggregator(64_000))
                                .addLast(new StockHandler(enquiries));
                    }
                })
                .bind("127.0.0.1", Integer.getInteger("server.port", 8080))
                .sync()
                .channel()
                .closeFuture()
                .sync();
    }
}
