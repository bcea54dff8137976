package library.scanner;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.stereotype.Component;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Scans barcodes by a native driver that waits for the device in poll(2): a virtual thread keeps its carrier there. */
@SpringBootApplication(exclude = DataSourceAutoConfiguration.class)
public class ScannerApplication {
    @Component
    static class Driver {
        private static final int SCAN_MS = 14;
        private static final MethodHandle POLL = Linker.nativeLinker()
                .downcallHandle(
                        Linker.nativeLinker().defaultLookup().find("poll").orElseThrow(),
                        FunctionDescriptor.of(
                                ValueLayout.JAVA_INT,
                                ValueLayout.ADDRESS,
                                ValueLayout.JAVA_LONG,
                                ValueLayout.JAVA_INT));

        int scan() {
            try {
                return (int) POLL.invokeExact(MemorySegment.NULL, 0L, SCAN_MS);
            } catch (Throwable e) {
                throw new IllegalStateException("the scanner does not answer", e);
            }
        }
    }

    @RestController
    static class Desk {
        private final Driver driver;

        Desk(Driver driver) {
            this.driver = driver;
        }

        @GetMapping("/")
        String scan() {
            return "scanned " + driver.scan();
        }
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ScannerApplication.class, arguments);
    }
}
