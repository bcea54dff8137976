package plants;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/** A database in another process. */
final class Beside {
    private Beside() {}

    /** The port that {@code main} says when it serves; its process ends with this one. */
    static int start(Class<?> main) throws IOException {
        var java = ProcessHandle.current().info().command().orElseThrow();
        var classes = System.getProperty("java.class.path");
        var process = new ProcessBuilder(java, "-Xmx64m", "-cp", classes, main.getName(), "database")
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        var said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII));
        return Integer.parseInt(said.readLine());
    }

    /** Says the port, and stays until the process that has started this one is gone. */
    static void serve(int port) throws IOException {
        System.out.println(port);
        while (System.in.read() >= 0) {
            continue;
        }
        System.exit(0);
    }
}
