package florist;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import java.util.zip.Deflater;

/** Labels for parcels, with a picture of the bouquet that is packed for the printer: work for the CPU. */
@Path("/labels")
public class Labels {
    private final byte[] picture = new byte[120_000];

    Labels() {
        for (int pixel = 0; pixel < picture.length; pixel++) {
            picture[pixel] = (byte) (pixel * pixel / 97 ^ pixel >> 5);
        }
    }

    @GET
    public String print() {
        var packer = new Deflater(Deflater.BEST_COMPRESSION);
        try {
            packer.setInput(picture);
            packer.finish();
            var packed = new byte[picture.length];
            return "label " + packer.deflate(packed);
        } finally {
            packer.end();
        }
    }
}
