package plants;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.Executors;

/** Virtual threads in a native library that takes its time: each keeps its carrier. */
final class CarriersInNative {
    private static final MethodHandle USLEEP = Linker.nativeLinker()
            .downcallHandle(
                    Linker.nativeLinker().defaultLookup().find("usleep").orElseThrow(),
                    FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.JAVA_INT));

    public static void main(String[] arguments) throws Exception {
        Serve.tomcat(
                connector -> connector.getProtocolHandler().setExecutor(Executors.newVirtualThreadPerTaskExecutor()),
                path -> "scanned " + scan());
    }

    private static int scan() {
        try {
            return (int) USLEEP.invokeExact(12_000);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }
}
