package circus;

import java.util.concurrent.Executors;

/** Places of caravans, on virtual threads, which look the office's name up for each call. */
final class Caravans {
    public static void main(String[] arguments) throws Exception {
        Circus.jdk(
                Executors.newVirtualThreadPerTaskExecutor(),
                () -> "caravan at " + Circus.askOffice().length());
    }
}
