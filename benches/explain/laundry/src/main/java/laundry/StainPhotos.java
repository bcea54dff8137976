package laundry;

import java.awt.Color;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import javax.imageio.ImageIO;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.QueuedThreadPool;

/** Photos of stains, made small for phones, four at a time; limited by the CPU, which scales them. */
final class StainPhotos extends Handler.Abstract {
    private final BufferedImage photo = new BufferedImage(1_600, 1_200, BufferedImage.TYPE_INT_RGB);
    private final Semaphore atATime = new Semaphore(4);
    private final int width = Integer.getInteger("photos.width", 640);

    private StainPhotos() {
        var pen = photo.createGraphics();
        for (int stain = 0; stain < 60; stain++) {
            pen.setColor(new Color(120 + stain, 60 + stain, stain));
            pen.fillOval(stain * 23, stain * 17 % 1_000, 160, 120);
        }
        pen.dispose();
    }

    @Override
    public boolean handle(Request request, Response response, Callback done) throws IOException {
        atATime.acquireUninterruptibly();
        try {
            var bytes = new ByteArrayOutputStream();
            ImageIO.write(small(), "jpeg", bytes);
            response.write(true, ByteBuffer.wrap(bytes.toByteArray()), done);
        } finally {
            atATime.release();
        }
        return true;
    }

    private BufferedImage small() {
        var small = new BufferedImage(width, width * 3 / 4, BufferedImage.TYPE_INT_RGB);
        var pen = small.createGraphics();
        pen.setRenderingHint(RenderingHints.KEY_INTERPOLATION, RenderingHints.VALUE_INTERPOLATION_BICUBIC);
        pen.drawImage(photo, 0, 0, small.getWidth(), small.getHeight(), null);
        pen.dispose();
        return small;
    }

    public static void main(String[] arguments) throws Exception {
        System.setProperty("java.awt.headless", "true");
        ImageIO.setUseCache(false);
        var server = new Server(new QueuedThreadPool(100));
        var connector = new ServerConnector(server);
        connector.setHost("127.0.0.1");
        connector.setPort(Counter.PORT);
        server.addConnector(connector);
        server.setHandler(new StainPhotos());
        server.start();
    }
}
