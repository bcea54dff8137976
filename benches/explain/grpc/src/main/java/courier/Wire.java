package courier;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.ServerServiceDefinition;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** A service of gRPC with one method, from text to text, without generated code. */
final class Wire {
    private static final String SERVICE = "courier.Parcels";

    private static final class Text implements MethodDescriptor.Marshaller<String> {
        @Override
        public InputStream stream(String text) {
            return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public String parse(InputStream text) {
            try {
                return new String(text.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static final MethodDescriptor<String, String> FIND = MethodDescriptor.<String, String>newBuilder()
            .setType(MethodDescriptor.MethodType.UNARY)
            .setFullMethodName(MethodDescriptor.generateFullMethodName(SERVICE, "Find"))
            .setRequestMarshaller(new Text())
            .setResponseMarshaller(new Text())
            .build();

    private Wire() {}

    static ServerServiceDefinition service(UnaryOperator<String> find) {
        return ServerServiceDefinition.builder(SERVICE)
                .addMethod(FIND, ServerCalls.asyncUnaryCall((parcel, reply) -> {
                    reply.onNext(find.apply(parcel));
                    reply.onCompleted();
                }))
                .build();
    }

    static String find(Channel channel, String parcel) {
        return ClientCalls.blockingUnaryCall(channel, FIND, CallOptions.DEFAULT, parcel);
    }
}
