package laundry;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Has C's stdio read from Java: {@code fopencookie} calls back for bytes. */
final class NativeReader {
    private static final int LENGTH = 100;
    private static final MemoryLayout CALLBACKS = MemoryLayout.structLayout(
            ADDRESS.withName("read"), ADDRESS.withName("write"), ADDRESS.withName("seek"), ADDRESS.withName("close"));
    private static final MethodHandle OPEN =
            function("fopencookie", FunctionDescriptor.of(ADDRESS, ADDRESS, ADDRESS, CALLBACKS));
    private static final MethodHandle READ =
            function("fread", FunctionDescriptor.of(JAVA_LONG, ADDRESS, JAVA_LONG, JAVA_LONG, ADDRESS));
    private static final MethodHandle CLOSE = function("fclose", FunctionDescriptor.of(JAVA_INT, ADDRESS));
    private static final MemorySegment FUNCTIONS = callbacks();
    private static final Map<Long, Supplier<String>> OPENED = new ConcurrentHashMap<>();
    private static final AtomicLong NUMBER = new AtomicLong();

    private NativeReader() {}

    static String read(Supplier<String> source) {
        long number = NUMBER.incrementAndGet();
        OPENED.put(number, source);
        try (var arena = Arena.ofConfined()) {
            var mode = arena.allocateFrom("r");
            var stream = (MemorySegment) OPEN.invokeExact(MemorySegment.ofAddress(number), mode, FUNCTIONS);
            var bytes = arena.allocate(LENGTH);
            long length = (long) READ.invokeExact(bytes, 1L, (long) LENGTH, stream);
            int closed = (int) CLOSE.invokeExact(stream);
            return new String(bytes.asSlice(0, length).toArray(JAVA_BYTE), StandardCharsets.UTF_8) + closed;
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        } finally {
            OPENED.remove(number);
        }
    }

    /** Called from C: fills its buffer. */
    static long fill(MemorySegment cookie, MemorySegment buffer, long size) {
        var bytes = OPENED.get(cookie.address()).get().getBytes(StandardCharsets.UTF_8);
        int length = (int) Math.min(size, bytes.length);
        MemorySegment.copy(bytes, 0, buffer.reinterpret(size), JAVA_BYTE, 0, length);
        return length;
    }

    private static MemorySegment callbacks() {
        try {
            var type = MethodType.methodType(long.class, MemorySegment.class, MemorySegment.class, long.class);
            var fill = MethodHandles.lookup().findStatic(NativeReader.class, "fill", type);
            var called = FunctionDescriptor.of(JAVA_LONG, ADDRESS, ADDRESS, JAVA_LONG);
            var functions = Arena.global().allocate(CALLBACKS);
            functions.set(ADDRESS, 0, Linker.nativeLinker().upcallStub(fill, called, Arena.global()));
            return functions;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static MethodHandle function(String name, FunctionDescriptor type) {
        var linker = Linker.nativeLinker();
        return linker.downcallHandle(linker.defaultLookup().find(name).orElseThrow(), type);
    }
}
