package lighthouse;

import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.netty.handler.codec.http.HttpResponseStatus.OK;
import static io.netty.handler.codec.http.HttpVersion.HTTP_1_1;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.handler.codec.http.DefaultHttpResponse;
import io.netty.handler.codec.http.DefaultLastHttpContent;
import java.nio.charset.StandardCharsets;

/** Flushes the head of an answer, and then its body; somebody switched TCP_NODELAY off, which Netty has on. */
public final class FogHorn {
    private static final byte[] SOUND = "a long blast each two minutes".getBytes(StandardCharsets.US_ASCII);

    public static void main(String[] arguments) {
        boolean noDelay = Boolean.getBoolean("horn.no-delay");
        Tower.light(null, server -> server.childOption(ChannelOption.TCP_NODELAY, noDelay), FogHorn::answer);
    }

    private static void answer(ChannelHandlerContext context) {
        var head = new DefaultHttpResponse(HTTP_1_1, OK);
        head.headers().set(CONTENT_LENGTH, SOUND.length);
        context.writeAndFlush(head);
        context.writeAndFlush(new DefaultLastHttpContent(Unpooled.wrappedBuffer(SOUND)));
    }
}
