package campsite;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.awt.Color;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import javax.imageio.ImageIO;

/** Maps of the site with a guest's pitch on it, drawn for each guest; limited by the container's CPU quota. */
final class SiteMaps extends HttpServlet {
    private static final long serialVersionUID = 1;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        var map = new BufferedImage(320, 240, BufferedImage.TYPE_INT_RGB);
        var pen = map.createGraphics();
        for (int pitch = 0; pitch < 60; pitch++) {
            pen.setColor(new Color(40, 120 + pitch, 40));
            pen.fillRect(pitch % 10 * 32, pitch / 10 * 40, 28, 36);
        }
        pen.setColor(Color.RED);
        pen.fillOval(
                ThreadLocalRandom.current().nextInt(300),
                ThreadLocalRandom.current().nextInt(220),
                12,
                12);
        pen.dispose();
        var file = new ByteArrayOutputStream();
        ImageIO.write(map, "png", file);
        response.setContentType("image/png");
        response.getOutputStream().write(file.toByteArray());
    }

    public static void main(String[] arguments) throws Exception {
        ImageIO.setUseCache(false);
        Pages.serve(new SiteMaps(), Executors.newVirtualThreadPerTaskExecutor(), true);
    }
}
