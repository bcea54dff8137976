package windmill.stock;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SubmissionPublisher;

class StockHandler extends SimpleChannelInboundHandler<FullHttpRequest> {
    private final SubmissionPublisher<Enquiry> enquiries;

    StockHandler(SubmissionPublisher<Enquiry> enquiries) {
        this.enquiries = enquiries;
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, FullHttpRequest request) {
        var enquiry = new Enquiry("rye", new CompletableFuture<>());
        enquiry.told().whenComplete((stock, error) -> {
            var status = error == null ? HttpResponseStatus.OK : HttpResponseStatus.BAD_GATEWAY;
            var body = Unpooled.copiedBuffer(error == null ? stock : "the store is silent", StandardCharsets.UTF_8);
            var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, body);
            response.headers().set(HttpHeaderNames.CONTENT_LENGTH, body.readableBytes());
            context.writeAndFlush(response);
        });
        enquiries.submit(enquiry);
    }
}
