package clinic;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;

/** Prescriptions, which a request hands to the printers: threads that take the next sheet from a queue. */
public final class Prescriptions {
    private record Sheet(CompletableFuture<String> printed) {}

    public static void main(String[] arguments) throws IOException {
        var sheets = new LinkedBlockingQueue<Sheet>();
        for (int printer = 0; printer < Integer.getInteger("prescriptions.printers", 3); printer++) {
            var thread = new Thread(() -> print(sheets), "printer-" + printer);
            thread.setDaemon(true);
            thread.start();
        }
        Clinic.open(200, () -> {
            var sheet = new Sheet(new CompletableFuture<>());
            sheets.put(sheet);
            return sheet.printed().get();
        });
    }

    private static void print(LinkedBlockingQueue<Sheet> sheets) {
        while (true) {
            try {
                var sheet = sheets.take();
                sheet.printed().complete("printed " + Clinic.askHospital().length());
            } catch (IOException e) {
                System.err.println("a sheet is lost: " + e);
            } catch (InterruptedException e) {
                return;
            }
        }
    }
}
