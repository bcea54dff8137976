package parcels.notices;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Notices that a parcel is on its way, and the server's own log of who asked for them. */
@SpringBootApplication
public class NoticesApplication {
    public static void main(String[] arguments) {
        SpringApplication.run(NoticesApplication.class, arguments);
    }
}
