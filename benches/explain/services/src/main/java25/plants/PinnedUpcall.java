package plants;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/** The C library's qsort with a comparison in Java that sleeps: below it is a native frame, which pins. */
final class PinnedUpcall {
    private static final MemoryLayout INT = ValueLayout.ADDRESS.withTargetLayout(ValueLayout.JAVA_INT);

    public static void main(String[] arguments) throws Exception {
        var linker = Linker.nativeLinker();
        var qsort = linker.downcallHandle(
                linker.defaultLookup().find("qsort").orElseThrow(),
                FunctionDescriptor.ofVoid(
                        ValueLayout.ADDRESS, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.ADDRESS));
        var compare = MethodHandles.lookup()
                .findStatic(
                        PinnedUpcall.class,
                        "compare",
                        MethodType.methodType(int.class, MemorySegment.class, MemorySegment.class));
        var upcall = linker.upcallStub(compare, FunctionDescriptor.of(ValueLayout.JAVA_INT, INT, INT), Arena.global());
        Serve.tomcat(
                connector -> {
                    if (!Boolean.getBoolean("platform")) {
                        connector.getProtocolHandler().setExecutor(Executors.newVirtualThreadPerTaskExecutor());
                    }
                    connector.setProperty("maxThreads", "" + Serve.ROOM);
                },
                path -> sort(qsort, upcall));
    }

    private static String sort(MethodHandle qsort, MemorySegment upcall) throws Exception {
        try (var arena = Arena.ofConfined()) {
            var numbers = arena.allocateFrom(ValueLayout.JAVA_INT, 2, 1);
            qsort.invokeExact(numbers, 2L, 4L, upcall);
            return "least " + numbers.get(ValueLayout.JAVA_INT, 0);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    static int compare(MemorySegment left, MemorySegment right) {
        LockSupport.parkNanos(15_000_000);
        return Integer.compare(left.get(ValueLayout.JAVA_INT, 0), right.get(ValueLayout.JAVA_INT, 0));
    }
}
