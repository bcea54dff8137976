package lighthouse;

import static io.netty.handler.codec.http.HttpHeaderNames.CONTENT_LENGTH;
import static io.netty.handler.codec.http.HttpResponseStatus.OK;
import static io.netty.handler.codec.http.HttpResponseStatus.SERVICE_UNAVAILABLE;
import static io.netty.handler.codec.http.HttpVersion.HTTP_1_1;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletionStage;

/** Answers that a handler writes. */
final class Answers {
    private Answers() {}

    static void write(ChannelHandlerContext context, String text, Throwable failure) {
        var body = Unpooled.copiedBuffer(failure == null ? text : failure.toString(), StandardCharsets.UTF_8);
        var response = new DefaultFullHttpResponse(HTTP_1_1, failure == null ? OK : SERVICE_UNAVAILABLE, body);
        response.headers().set(CONTENT_LENGTH, body.readableBytes());
        context.writeAndFlush(response);
    }

    static void writeLater(ChannelHandlerContext context, CompletionStage<String> text) {
        text.whenComplete((found, failure) -> write(context, found, failure));
    }
}
