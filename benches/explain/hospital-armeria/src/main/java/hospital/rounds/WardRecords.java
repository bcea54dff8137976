package hospital.rounds;

import com.linecorp.armeria.client.WebClient;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Server;
import io.grpc.ServerServiceDefinition;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import io.grpc.stub.StreamObserver;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Records of a ward, by gRPC from the service that keeps them; Armeria speaks HTTP to the nurses' tablets. */
public final class WardRecords {
    private static final MethodDescriptor<String, String> READ = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodType.UNARY)
            .setFullMethodName("hospital.Records/Read")
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    /** Strings as they are, in place of Protocol Buffers. */
    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String text) {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream bytes) {
            try {
                return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Hands each call's result, or its failure, to a future. */
    private static final class Result extends CompletableFuture<String> implements StreamObserver<String> {
        @Override
        public void onNext(String record) {
            complete(record);
        }

        @Override
        public void onError(Throwable failure) {
            completeExceptionally(failure);
        }

        @Override
        public void onCompleted() {}
    }

    private static Server records(WebClient archive) throws IOException {
        return NettyServerBuilder.forPort(0)
                .directExecutor()
                .maxConcurrentCallsPerConnection(Integer.getInteger("records.calls-per-connection", 6))
                .addService(ServerServiceDefinition.builder("hospital.Records")
                        .addMethod(READ, ServerCalls.asyncUnaryCall((ward, answer) -> read(archive, ward, answer)))
                        .build())
                .build()
                .start();
    }

    private static void read(WebClient archive, String ward, StreamObserver<String> answer) {
        archive.get("/wards/" + ward).aggregate().whenComplete((found, failure) -> {
            if (failure != null) {
                answer.onError(failure);
                return;
            }
            answer.onNext(ward + " has " + found.content().length() + " records");
            answer.onCompleted();
        });
    }

    private static ManagedChannel channel(int port) {
        return NettyChannelBuilder.forAddress("127.0.0.1", port)
                .usePlaintext()
                .directExecutor()
                .keepAliveTime(1, TimeUnit.MINUTES)
                .build();
    }

    private static CompletableFuture<String> call(Channel records, String ward) {
        var result = new Result();
        ClientCalls.asyncUnaryCall(records.newCall(READ, CallOptions.DEFAULT), ward, result);
        return result;
    }

    public static void main(String[] arguments) throws IOException {
        var channel = channel(records(Rounds.systems().build()).getPort());
        Rounds.serve("/wards/{ward}", (context, request) -> Rounds.later(call(channel, context.pathParam("ward"))));
    }
}
