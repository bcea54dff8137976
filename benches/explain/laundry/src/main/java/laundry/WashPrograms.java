package laundry;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Programs for washing machines, spooled to files while the central system is asked; limited by open files. */
final class WashPrograms extends Handler.Abstract {
    @Override
    public boolean handle(Request request, Response response, Callback done) throws IOException {
        var spooled = Files.createTempFile("wash", ".program");
        try (var spool = FileChannel.open(
                spooled, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE)) {
            spool.write(ByteBuffer.wrap("cotton 60\n".getBytes(StandardCharsets.UTF_8)));
            spool.write(ByteBuffer.wrap(Counter.ask("/programs/cotton").getBytes(StandardCharsets.UTF_8)));
            var program = ByteBuffer.allocate((int) spool.size());
            spool.read(program, 0);
            response.write(true, program.flip(), done);
        } finally {
            Files.deleteIfExists(spooled);
        }
        return true;
    }

    public static void main(String[] arguments) throws Exception {
        var server = new Server(new QueuedThreadPool(200));
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Counter.PORT);
        server.addConnector(connector);
        server.setHandler(new WashPrograms());
        server.start();
    }
}
