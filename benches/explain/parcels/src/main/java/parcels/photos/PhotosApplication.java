package parcels.photos;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Photos that prove a delivery, out of an archive whose library knows nothing of reactive code. */
@SpringBootApplication
public class PhotosApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(PhotosApplication.class, arguments);
    }
}
