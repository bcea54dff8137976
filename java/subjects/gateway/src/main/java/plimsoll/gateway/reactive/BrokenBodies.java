package plimsoll.gateway.reactive;

import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import reactor.netty.Connection;
import reactor.netty.NettyPipeline;
import reactor.netty.channel.ChannelOperations;
import reactor.netty.http.server.HttpServerResponse;

/**
 * Ends the connection with a request's body that cannot be decoded. Reactor Netty would end the body as if it were whole, and the
 * upstream would take the part for all of it.
 */
final class BrokenBodies extends ChannelInboundHandlerAdapter {

    private static final String NAME = "broken bodies";

    /** Right behind the decoder, before Reactor Netty sees what it made; once, as this is asked for with each request. */
    static void addTo(Connection connection) {
        var pipeline = connection.channel().pipeline();
        if (pipeline.get(NettyPipeline.HttpCodec) != null && pipeline.get(NAME) == null) {
            pipeline.addAfter(NettyPipeline.HttpCodec, NAME, new BrokenBodies());
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HttpContent content && content.decoderResult().isFailure()) {
            content.release();
            end(context);
        } else {
            context.fireChannelRead(message);
        }
    }

    private static void end(ChannelHandlerContext context) {
        var operations = ChannelOperations.get(context.channel());
        if (operations instanceof HttpServerResponse response && response.hasSentHeaders()) {
            context.close();
        } else {
            var refusal = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.BAD_REQUEST);
            refusal.headers()
                    .setInt(HttpHeaderNames.CONTENT_LENGTH, 0)
                    .set(HttpHeaderNames.CONNECTION, HttpHeaderValues.CLOSE);
            context.writeAndFlush(refusal).addListener(ChannelFutureListener.CLOSE);
        }
    }
}
