package plimsoll.threads;

import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;

/** Runs the server with the settings of its arguments. */
public final class ThreadsApplication {

    private ThreadsApplication() {}

    public static void main(String[] arguments) throws InterruptedException {
        if (List.of(arguments).contains("--help")) {
            System.out.print(Settings.HELP);
            return;
        }
        try {
            serve(Settings.parse(arguments));
        } catch (IllegalArgumentException wrongArgument) {
            System.err.println(wrongArgument.getMessage());
            System.exit(2);
        } catch (IOException cannotListen) {
            System.err.println("cannot listen: " + cannotListen.getMessage());
            System.exit(1);
        }
    }

    private static void serve(Settings settings) throws IOException, InterruptedException {
        var failures = new Failures(System.err);
        Runtime.getRuntime().addShutdownHook(new Thread(failures::summarise));
        try (var listener = new ServerSocket();
                var server = new Server(listener, settings.mode().executor(settings.poolSize()), settings, failures)) {
            listener.bind(settings.address(), settings.backlog());
            System.out.println("serving on " + listener.getLocalSocketAddress() + " with " + settings);
            server.acceptAll();
        }
    }
}
